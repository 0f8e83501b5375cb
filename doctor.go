package quarry

import (
	"context"
	"errors"

	"quarry/health"
)

// HealthFinding is something that Doctor found.
type HealthFinding = health.Finding

// DoctorRequest says what Doctor looks for.
type DoctorRequest struct {
	Only []string // these checks alone, by name; none: all
	Skip []string // all but these
}

// Health is what Doctor found. Its JSON form is what `doctor --json` prints.
type Health struct {
	Vault    string          `json:"vault"`
	Index    string          `json:"index"`    // its file; "" for a client
	Notes    int             `json:"notes"`    // that were examined
	Findings []HealthFinding `json:"findings"` // faults first, then notices, then hints; by check, path and line; never nil
}

// Doctor examines the index, the vault and the graph. It writes nothing.
func (e *Engine) Doctor(ctx context.Context, request DoctorRequest) (Health, error) {
	return Health{}, errors.New("not built yet")
}
