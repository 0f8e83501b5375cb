package vault

import (
	"io/fs"
	"path"

	"golang.org/x/sys/unix"
)

// readDirectly reads a file with the fewest system calls. It is what Read does, for a path that checkNames lets through; ok is false
// where anything is unlike the rule, and Read finds out what that is.
func (v *Vault) readDirectly(name string) (content []byte, seen facts, ok bool) {
	err := v.besideDirectly(name, func(folder descriptor, name string) (err error) {
		content, seen, err = folder.read(name, v.maxBytes)
		return err
	})
	return content, seen, err == nil
}

// lookDirectly is to Stat what readDirectly is to Read.
func (v *Vault) lookDirectly(name string) (seen facts, ok bool) {
	err := v.besideDirectly(name, func(folder descriptor, name string) (err error) {
		seen, err = folder.look(name)
		return err
	})
	return seen, err == nil && seen.kind.IsRegular()
}

// besideDirectly calls use with the folder that holds a file and the name in it. The kernel goes down in one call, below the vault and
// past no link.
func (v *Vault) besideDirectly(name string, use func(folder descriptor, name string) error) error {
	start, isBase := v.base.(base)
	if !isBase {
		return fs.ErrInvalid
	}
	_, err := held(start.file, func(d descriptor) (struct{}, error) {
		folder, below := path.Split(name)
		if folder == "" {
			return struct{}{}, use(d, below)
		}
		opened, err := d.openBelow(path.Clean(folder))
		if err != nil {
			return struct{}{}, err
		}
		defer opened.close()
		return struct{}{}, use(opened, below)
	})
	return err
}

// openBelow opens a folder any number of folders down.
func (d descriptor) openBelow(name string) (descriptor, error) {
	how := unix.OpenHow{
		Flags:   unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS,
	}
	fd, err := retry(func() (int, error) { return unix.Openat2(int(d), name, &how) })
	return descriptor(fd), err
}

// read reads a regular file of the folder that does not change meanwhile. What else it may be is told by looking at it first: opening a
// device or a link can have effects of its own.
func (d descriptor) read(name string, maxBytes int64) ([]byte, facts, error) {
	seen, err := d.look(name)
	if err != nil || !seen.kind.IsRegular() || seen.sizeBytes > maxBytes {
		return nil, facts{}, fs.ErrInvalid
	}
	fd, err := retry(func() (int, error) {
		return unix.Openat(int(d), name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, facts{}, err
	}
	defer func() { _ = unix.Close(fd) }()
	before, err := factsOfOpened(fd)
	if err != nil || before != seen {
		return nil, facts{}, fs.ErrInvalid
	}
	content := make([]byte, before.sizeBytes+1) // one more, to meet growth
	n := 0
	for n < len(content) {
		read, err := retry(func() (int, error) { return unix.Read(fd, content[n:]) })
		if err != nil {
			return nil, facts{}, err
		}
		if read == 0 {
			break
		}
		n += read
	}
	after, err := factsOfOpened(fd)
	if err != nil || after != before || int64(n) != after.sizeBytes {
		return nil, facts{}, fs.ErrInvalid
	}
	return content[:n], after, nil
}

func factsOfOpened(fd int) (facts, error) {
	var stat unix.Stat_t
	_, err := retry(func() (int, error) { return 0, unix.Fstat(fd, &stat) })
	return factsOfStat(&stat), err
}
