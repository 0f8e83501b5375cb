package health

// A sketch holds the least hash of a set in each of sketchBins parts of the range of hashes: one permutation hashing (Li, Owen
// and Zhang, NIPS 2012). The share of equal places of two sketches estimates the Jaccard index of the sets. A part that no hash
// falls into takes the place of another, chosen by a hash of its own (Shrivastava, ICML 2017), which keeps the estimate fair.
const (
	sketchBins  = 128
	bandRows    = 8 // places of a sketch that have to be equal to make two notes candidates
	sketchBands = sketchBins / bandRows
	// Two sets of Jaccard index .9 become candidates with probability 1-(1-.9^8)^16 = .9999, of .8 with .947, of .5 with .06.
)

// sketchOf makes the sketch of a set of well spread hashes, which is not empty.
func sketchOf(set []uint32) []uint32 {
	var least [sketchBins]uint32
	var filled [sketchBins]bool
	for _, hash := range set {
		bin, rest := hash%sketchBins, hash/sketchBins
		if !filled[bin] || rest < least[bin] {
			least[bin], filled[bin] = rest, true
		}
	}
	sketch := make([]uint32, sketchBins)
	for bin := range sketch {
		from := uint64(bin)
		for try := uint64(1); !filled[from]; try++ {
			from = mixed(uint64(bin)<<32+try) % sketchBins
		}
		sketch[bin] = least[from]
	}
	return sketch
}

// bandOf identifies what a sketch has in one band.
func bandOf(sketch []uint32, band int) uint64 {
	hash := uint64(band)
	for _, value := range sketch[band*bandRows : (band+1)*bandRows] {
		hash = mixed(hash<<1 + uint64(value))
	}
	return hash
}

// jaccard is the share of two ascending sets that is common to both, exactly.
func jaccard(a, b []uint32) float64 {
	common := 0
	for i, k := 0, 0; i < len(a) && k < len(b); {
		switch {
		case a[i] < b[k]:
			i++
		case a[i] > b[k]:
			k++
		default:
			common, i, k = common+1, i+1, k+1
		}
	}
	return float64(common) / float64(max(len(a)+len(b)-common, 1))
}
