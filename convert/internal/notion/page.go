package notion

func htmlTitle(text string) string { return "" }

func (r *reader) convertHTML(p *page) {}
