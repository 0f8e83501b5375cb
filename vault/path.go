package vault

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

const (
	onWindows = runtime.GOOS == "windows"
	// foldsCase: the usual file systems take names that differ by case, or by how an accent is composed, for one.
	foldsCase = runtime.GOOS == "windows" || runtime.GOOS == "darwin"
)

// checkPath accepts the plain form of a path below the vault alone: slashes, no empty, "." or ".." part.
func checkPath(path string) error {
	if reason := badPath(path, onWindows); reason != "" {
		return fmt.Errorf("%w: %s", ErrOutside, reason)
	}
	if !filepath.IsLocal(filepath.FromSlash(path)) {
		return fmt.Errorf("%w: it has a meaning of its own to this system", ErrOutside)
	}
	return nil
}

// badPath says why a path is not taken, "" if it is.
func badPath(path string, windows bool) string {
	switch {
	case path == "":
		return "it is empty"
	case strings.HasPrefix(path, "/"):
		return "it is absolute"
	case strings.IndexByte(path, 0) >= 0:
		return "it holds a NUL byte"
	}
	for part := range strings.SplitSeq(path, "/") {
		switch part {
		case "":
			return "it has an empty part"
		case ".", "..":
			return fmt.Sprintf("it has a part %q", part)
		}
		if windows {
			if reason := badOnWindows(part); reason != "" {
				return reason
			}
		}
	}
	return ""
}

// badOnWindows knows the spellings with which Windows names something other than the file called so: drives and
// alternate data streams (a colon), other separators, devices, and names that lose their end.
func badOnWindows(part string) string {
	for i := range len(part) {
		if c := part[i]; c < ' ' || strings.IndexByte(`\:*?"<>|`, c) >= 0 {
			return fmt.Sprintf("a name on Windows cannot hold %q", c)
		}
	}
	if last := part[len(part)-1]; last == '.' || last == ' ' {
		return "a name on Windows cannot end with a dot or a blank"
	}
	if isDevice(part) {
		return "it names a device"
	}
	return ""
}

// isDevice knows CON, NUL, COM1 and their like, also with an extension ("nul.md") or blanks before it.
func isDevice(name string) bool {
	if dot := strings.IndexByte(name, '.'); dot >= 0 {
		name = name[:dot]
	}
	name = strings.ToUpper(strings.TrimRight(name, " "))
	switch name {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	if !strings.HasPrefix(name, "COM") && !strings.HasPrefix(name, "LPT") {
		return false
	}
	digit := name[3:]
	return len(digit) == 1 && digit >= "0" && digit <= "9" || digit == "¹" || digit == "²" || digit == "³"
}

// mayBeShort tells of a name that Windows may have made for a file beside its own: eight characters with a tilde and a
// number in them, a dot and three more. Such a second name would lead past rules about the first.
func mayBeShort(name string) bool {
	tilde := strings.IndexByte(name, '~')
	return tilde >= 0 && tilde+1 < len(name) && name[tilde+1] >= '0' && name[tilde+1] <= '9' && len(name) <= len("eight~67.ext")
}

// checkShortNames refuses a path in which a part is no name that its folder lists.
func checkShortNames(start folder, path string) error {
	place, below := "", path
	for below != "" {
		var part string
		part, below, _ = strings.Cut(below, "/")
		if mayBeShort(part) && !lists(start, place, part) {
			return fmt.Errorf("%w: it has another name", fs.ErrNotExist)
		}
		place = strings.TrimPrefix(place+"/"+part, "/")
	}
	return nil
}

// lists tells whether a folder below start has an entry of this very name, in any letter case.
func lists(start folder, place, name string) bool {
	here := start
	if place != "" {
		above, last, err := goDown(start, place, openLinkless, folder.close)
		if err != nil {
			return false
		}
		if above != start {
			defer above.close()
		}
		if here, err = openLinkless(above, last); err != nil {
			return false
		}
		defer here.close()
	}
	entries, err := here.list()
	return err == nil && slices.ContainsFunc(entries, func(one entry) bool { return strings.EqualFold(one.name, name) })
}

func extension(path string) string {
	name := baseName(path)
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return ""
	}
	return strings.ToLower(name[dot:])
}

func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

func join(folder, name string) string {
	if folder == "." {
		return name
	}
	return folder + "/" + name
}
