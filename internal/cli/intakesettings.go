package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// intakeSettings is the table [intake]; the user's file alone has one.
type intakeSettings struct {
	Ledger      string `toml:"ledger"`      // file of the ledger
	Attachments bool   `toml:"attachments"` // keep the files that come with signals
}

// intakeKeys are the keys of [intake].
var intakeKeys = []string{"ledger", "attachments"}

// signals leaves the vault's own [intake] out: it names a place, and what is kept.
func (o *vaultOverlay) signals() {
	if o.own.Intake.Ledger != "" {
		o.ignored("intake.ledger", "a file in the vault cannot name places outside of it")
	}
	if o.own.Intake.Attachments {
		o.ignored("intake.attachments", "whether attached files are kept is for your own configuration to say")
	}
}

// ledgerPath is where the ledger of a vault lies: the configuration's place, else a file in the user's data folder.
func (a *app) ledgerPath(vaultDir string) (string, error) {
	user, err := a.userSettings()
	if err != nil {
		return "", err
	}
	if user.Intake.Ledger != "" {
		return a.absolute(user.Intake.Ledger), nil
	}
	data, err := a.userDir("XDG_DATA_HOME", a.userDataDir)
	if err != nil {
		return "", &hinted{err, "name a file in the configuration: ledger = … in the table [intake]"}
	}
	return filepath.Join(data, "quarry", a.vaultFolderName(vaultDir), "intake.db"), nil
}

// userDataDir is where programs keep what cannot be made anew.
func (a *app) userDataDir() (string, error) {
	switch runtime.GOOS {
	case "windows":
		return os.UserCacheDir() // %LocalAppData%
	case "darwin", "ios":
		return os.UserConfigDir() // ~/Library/Application Support
	}
	home := a.io.Env("HOME")
	if home == "" {
		var err error
		if home, err = os.UserHomeDir(); err != nil {
			return "", fmt.Errorf("find a place for the ledger: %w", err)
		}
	}
	return filepath.Join(home, ".local", "share"), nil
}
