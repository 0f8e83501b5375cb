package triage_test

import (
	"context"
	"os"
	"os/signal"
)

func contextOfProcess() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt)
}
