package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"

	"quarry"
)

// maxEmbedLineBytes bounds one line of `embed`.
const maxEmbedLineBytes = 16 << 20

func (a *app) embedCommand() *cobra.Command {
	var options quarry.ModelOptions
	cmd := &cobra.Command{
		Use:   "embed",
		Short: "Turn texts into vectors",
		Long: `Reads JSON Lines of strings from standard input and writes JSON Lines {"text","vector"} in the same order.
Secrets in a text are redacted before it is turned into a vector, as they are in notes. Needs neither vault nor index.`,
		Example: `  echo '"refresh token rotation"' | quarry embed
  quarry embed --model ~/models/potion-base-32M --dim 128 < texts.jsonl`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case options.Dir == "" && (options.Dimension != 0 || options.DType != ""):
				return usage("name a Model2Vec folder with --model", "--dim and --dtype need --model: the built-in model has one form")
			case options.Dimension < 0:
				return usage("--dim takes a number above 0", "--dim %d is out of range", options.Dimension)
			case !slices.Contains([]string{"", "float32", "float16", "int8"}, options.DType):
				return usage("types are float32, float16 and int8", "there is no type %q", options.DType)
			}
			if err := a.useFilter(); err != nil {
				return err
			}
			if options.Dir != "" {
				if err := a.refuseClient("open the model "+options.Dir+": folders are not read for clients", "leave --model out: the built-in model answers"); err != nil {
					return err
				}
			}
			options.Dir = a.absolute(options.Dir)
			model, err := quarry.OpenModel(options)
			if err != nil {
				return &hinted{err, "--model takes a Model2Vec folder: model.safetensors, tokenizer.json and config.json"}
			}
			return a.embed(cmd.Context(), model)
		},
	}
	cmd.Flags().StringVar(&options.Dir, "model", "", "a Model2Vec folder (default: the built-in model)")
	cmd.Flags().IntVar(&options.Dimension, "dim", 0, "keep the first N components, of a model named by --model (0: all)")
	cmd.Flags().StringVar(&options.DType, "dtype", "", "round the weights of --model on loading: float32, float16 or int8")
	completeWords(cmd, "dtype", "float32", "float16", "int8")
	return cmd
}

func (a *app) embed(ctx context.Context, model *quarry.Model) error {
	a.noticeWaiting("Reading JSON strings, one a line, to the end of the input.")
	in := bufio.NewReaderSize(a.io.In, 1<<16)
	for number := 1; ; number++ {
		line, err := interruptible(ctx, func() ([]byte, error) { return readLine(in, maxEmbedLineBytes) })
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return fmt.Errorf("read line %d: %w", number, err)
		case len(bytes.TrimSpace(line)) == 0:
			continue
		}
		var text *string
		if err := json.Unmarshal(line, &text); err != nil || text == nil {
			return &hinted{fmt.Errorf("read line %d: it is no JSON string", number), `each line holds one JSON string, such as "a text"`}
		}
		clean, _ := a.redactor().Redact(*text) // a vector of the text as it was would tell of what was in it
		vectors, err := model.Vectors(ctx, []string{clean})
		if err != nil {
			return err
		}
		if err := a.writeJSONLine(embedded{clean, vectors[0]}); err != nil {
			return err
		}
	}
}

// interruptible ends with ctx, though what it waits for cannot be ended: that goes on until the process ends.
func interruptible(ctx context.Context, read func() ([]byte, error)) ([]byte, error) {
	type outcome struct {
		content []byte
		err     error
	}
	done := make(chan outcome, 1)
	go func() {
		content, err := read()
		done <- outcome{content, err}
	}()
	select {
	case o := <-done:
		return o.content, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

type embedded struct {
	Text   string    `json:"text"`
	Vector []float32 `json:"vector"`
}

// readLine gives the next line without its end, io.EOF after the last.
func readLine(in *bufio.Reader, maxBytes int) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxBytes {
			return nil, fmt.Errorf("it is longer than %d bytes", maxBytes)
		}
		switch {
		case err == nil:
			return bytes.TrimSuffix(line, []byte("\n")), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil
		default:
			return nil, err
		}
	}
}

// version is set when a release is built.
var version = ""

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  quarry version --json",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			info := versionInfo()
			return show(a, info, a.flags.json, func(info versionDocument) error {
				fmt.Fprintf(a.io.Out, "quarry %s (%s, model %s)\n", info.Version, info.Go, info.Model)
				return nil
			})
		},
	}
}

type versionDocument struct {
	Version  string `json:"version"`
	Revision string `json:"revision"` // of the source, "" where the build does not know it
	Go       string `json:"go"`
	Model    string `json:"model"`
}

func versionInfo() versionDocument {
	out := versionDocument{Version: version, Model: quarry.BuiltInModelName}
	if info, ok := debug.ReadBuildInfo(); ok {
		out.Go = info.GoVersion
		if out.Version == "" {
			out.Version = info.Main.Version
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				out.Revision = s.Value
			}
		}
	}
	if out.Version == "" {
		out.Version = "(devel)"
	}
	return out
}
