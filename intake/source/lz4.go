package source

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// mozilla begins the files that Firefox packs: behind it are the size of what is in it, 32 bits with the lowest byte first, and one
// block of LZ4 (github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md).
var mozilla = []byte("mozLz40\x00")

func isPacked(raw []byte) bool { return bytes.HasPrefix(raw, mozilla) }

// unpackMozilla unpacks such a file, up to maxJSONBytes.
func unpackMozilla(raw []byte) ([]byte, error) {
	if len(raw) < len(mozilla)+4 {
		return nil, fmt.Errorf("%w: it ends in its header", ErrDamaged)
	}
	raw = raw[len(mozilla):]
	size := int(binary.LittleEndian.Uint32(raw))
	if size > maxJSONBytes {
		return nil, fmt.Errorf("%w: it unpacks to over %d MiB", ErrTooLarge, maxJSONBytes>>20)
	}
	out, ok := unpackBlock(raw[4:], size)
	if !ok || len(out) != size {
		return nil, fmt.Errorf("%w: its packed part does not fit together", ErrDamaged)
	}
	return out, nil
}

// unpackBlock unpacks one block of LZ4 to at most size bytes; ok is false where it is none.
func unpackBlock(in []byte, size int) (out []byte, ok bool) {
	out = make([]byte, 0, min(size, 1<<20))
	for len(in) > 0 {
		mark := in[0]
		literals, rest, ok := lengthOf(int(mark>>4), in[1:])
		if !ok || literals > len(rest) || literals > size-len(out) {
			return nil, false
		}
		out, in = append(out, rest[:literals]...), rest[literals:]
		if len(in) == 0 { // the last piece has no copy
			return out, true
		}
		if len(in) < 2 {
			return nil, false
		}
		back := int(binary.LittleEndian.Uint16(in))
		length, rest, ok := lengthOf(int(mark&15), in[2:])
		if length += 4; !ok || back == 0 || back > len(out) || length > size-len(out) {
			return nil, false
		}
		for range length { // byte by byte, since a copy may reach into itself
			out = append(out, out[len(out)-back])
		}
		in = rest
	}
	return nil, false
}

// lengthOf reads a length that goes on in further bytes where its first part is 15.
func lengthOf(first int, in []byte) (length int, rest []byte, ok bool) {
	length = first
	if first < 15 {
		return length, in, true
	}
	for i, b := range in {
		if length += int(b); b < 255 || length > maxJSONBytes {
			return length, in[i+1:], length <= maxJSONBytes
		}
	}
	return 0, nil, false
}
