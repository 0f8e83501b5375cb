package health

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// index tells what is wrong with the index.
func (e *Examination) index(context.Context) {
	i := e.facts.Index
	say := func(applies bool, check, message, remedy string) {
		if applies {
			e.add(Finding{Check: check, Message: message, Remedy: remedy})
		}
	}
	say(i.IsMissing, NoIndex, "nothing was indexed yet", "run `quarry index`")
	damage := ""
	if i.Damage != nil {
		damage = i.Damage()
	}
	say(damage != "", DamagedIndex,
		"the index contradicts itself: "+damage,
		"run `quarry index`: a damaged index is set aside and built anew; if it says nothing, `quarry index --full`")
	say(i.Stale > 0 && !i.IsMissing, StaleIndex,
		counted(i.Stale, "file is", "files are")+" new, changed or gone since the last run: what is told of them may be over",
		"run `quarry index`, then look again")
	say(i.Model != "" && i.ModelNow != "", OtherModel,
		fmt.Sprintf("the vectors are those of %s, and the model of now is %s: search goes by words alone", i.Model, i.ModelNow),
		"run `quarry index`")
	say(i.IsCut && !i.IsMissing, StaleGraph,
		"the index has no graph of its notes as they are: the last run was cut off before it came to it, or was one of an older version",
		"run `quarry index`")
	for _, notice := range i.Notices {
		say(true, OldSettings, notice, "run `quarry index`")
	}
	for _, notice := range i.Unused {
		say(true, UnusedSetting, notice, "mend the name in the configuration, or take it out")
	}
	e.place()
}

// place tells where the file of the index lies if it should not lie there.
func (e *Examination) place() {
	if e.facts.Index.Path == "" {
		return
	}
	isInVault := e.facts.Index.Vault != "" && isBelow(e.facts.Index.Path, e.facts.Index.Vault)
	const remedy = "name another place with --db, QUARRY_DB or `db` in the configuration; without, the index lies in the user's cache"
	switch service := syncedBy(e.facts.Index.Path); {
	case service != "":
		e.add(Finding{
			Check: SyncedIndex, Message: fmt.Sprintf("the index lies in a folder of %s, which copies it while it is written", service), Remedy: remedy,
		})
	case isInVault:
		e.add(Finding{
			Check:   IndexInVault,
			Message: "the index lies in the vault: a program that synchronises the vault copies it while it is written",
			Remedy:  remedy,
		})
	}
}

func segments(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
}

func isBelow(path, folder string) bool {
	p, f := segments(path), segments(folder)
	return len(p) > len(f) && slices.Equal(p[:len(f)], f)
}

// syncServices are names of folders that programs of synchronisation make, in lower case.
var syncServices = map[string]string{
	"mobile documents": "iCloud Drive", "iclouddrive": "iCloud Drive", "icloud drive": "iCloud Drive", "cloudstorage": "a cloud storage",
	"dropbox": "Dropbox", "onedrive": "OneDrive", "google drive": "Google Drive", "googledrive": "Google Drive", "nextcloud": "Nextcloud",
	"owncloud": "ownCloud", "syncthing": "Syncthing", "pclouddrive": "pCloud", "pcloud drive": "pCloud", "megasync": "MEGA", "yandex.disk": "Yandex Disk",
}

// syncedBy names the service in whose folder a file lies, "" where none is known. OneDrive puts the name of an organisation
// behind its own, Dropbox in brackets.
func syncedBy(path string) string {
	for _, segment := range segments(path) {
		segment = strings.ToLower(segment)
		if service := syncServices[segment]; service != "" {
			return service
		}
		for _, begin := range []string{"onedrive - ", "dropbox (", "dropbox-"} {
			if strings.HasPrefix(segment, begin) {
				return syncServices[strings.TrimRight(begin, " (-")]
			}
		}
	}
	return ""
}
