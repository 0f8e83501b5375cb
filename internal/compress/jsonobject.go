package compress

import "strings"

// object reads an object. Of many members that are like each other, as in a map by name, the first stay.
func (w *jsonWriter) object(label string, depth int) bool {
	start := len(w.lines)
	w.write(label+"{", depth)
	w.at++
	members, elements := 0, newElementList(firstElements)
	for {
		w.space()
		if w.at >= len(w.text) {
			return false
		}
		if w.text[w.at] == '}' {
			w.at++
			w.close(start, "}", depth)
			return true
		}
		members++
		if !w.member(members, elements, depth) || !w.comma('}') {
			return false
		}
	}
}

// member reads a key and its value.
func (w *jsonWriter) member(number int, elements *elementList, depth int) bool {
	from := w.at
	if w.text[w.at] != '"' || !w.scalar() {
		return false
	}
	key := w.text[from:w.at]
	w.space()
	if w.at >= len(w.text) || w.text[w.at] != ':' {
		return false
	}
	w.at++
	w.space()
	start, outer, wasBad := len(w.lines), w.shape, w.isBad
	w.shape, w.isBad = strings.Builder{}, w.at < len(w.text) && isBadMember(key, w.text[w.at:])
	isPlainValue := w.at < len(w.text) && w.text[w.at] != '{' && w.text[w.at] != '['
	value := w.at
	if !w.value(shortText(key, false)+": ", depth+1) {
		return false
	}
	verdict := elements.judge(w)
	if isPlainValue {
		verdict = plain
	}
	if number > firstKeys && !w.isBad && (isPlainValue || verdict == dropped) {
		w.leaveOut(start)
	}
	outer.WriteString(key)
	if isPlainValue && isState(key) && w.at-value < 40 {
		outer.WriteString(w.text[value:w.at])
	}
	outer.WriteByte(' ')
	w.shape, w.isBad = outer, wasBad || w.isBad
	return true
}

// badKeys are names of members that tell of an error, if they have a value.
var badKeys = map[string]bool{
	"error": true, "errors": true, "err": true, "exception": true, "exceptions": true, "failure": true, "failures": true, "failed": true, "fail": true,
	"stack": true, "stacktrace": true, "stack_trace": true, "traceback": true, "panic": true, "fatal": true, "errorcount": true, "error_count": true,
	"errormessage": true, "error_message": true, "fatalerrorcount": true,
}

// stateKeys are names of members with few different values, which say what became of a thing.
var stateKeys = map[string]bool{
	"status": true, "state": true, "level": true, "severity": true, "result": true, "outcome": true, "conclusion": true, "type": true, "kind": true,
	"action": true, "msg": true, "message": true, "event": true, "phase": true, "success": true, "ok": true, "exit_code": true, "exitcode": true, "code": true,
	"reason": true,
}

// badStates are their values that tell of an error.
var badStates = map[string]bool{
	"error": true, "err": true, "fail": true, "failed": true, "failure": true, "fatal": true, "critical": true, "panic": true, "crash": true, "crashed": true,
	"crashloopbackoff": true, "exception": true, "timeout": true, "timed_out": true, "timedout": true, "unhealthy": true, "rejected": true, "denied": true,
	"aborted": true, "broken": true, "warn": true, "warning": true, "cancelled": true, "canceled": true,
}

func isState(key string) bool { return stateKeys[strings.ToLower(strings.Trim(key, `"`))] }

// isBadMember tells whether a key and what its value begins with tell of an error.
func isBadMember(key, value string) bool {
	const longest = 40
	if len(key) > longest {
		return false
	}
	name := strings.ToLower(strings.Trim(key, `"`))
	if badKeys[name] || (strings.Contains(name, "error") || strings.Contains(name, "exception")) && strings.IndexByte(`"[{`, value[0]) >= 0 {
		return !isEmptyValue(value)
	}
	switch name {
	case "success", "ok", "passed":
		return strings.HasPrefix(value, "false")
	case "status", "statuscode", "status_code":
		if number := strings.TrimPrefix(value, `"`); len(number) > 3 && isFailingStatus(number[:3]) {
			return !isDigit(number[3])
		}
	case "exit_code", "exitcode", "returncode":
		return (isDigit(value[0]) || value[0] == '-') && !isEmptyValue(value)
	case "message", "msg", "reason", "detail", "output", "stderr":
		return value[0] == '"' && isError(value[:max(stringEnd(value, 0), 1)])
	}
	if !stateKeys[name] || value[0] != '"' {
		return false
	}
	value = value[:min(len(value), 2*longest)]
	end := stringEnd(value, 0)
	return end > 0 && badStates[strings.ToLower(strings.Trim(value[:end], `"`))]
}

// isErrorText tells of a text that is, or begins or ends with, the message of an error.
func isErrorText(text string) bool {
	const mostLooked = 400
	return isErrorMessage(text) || len(text) > mostLooked && isErrorMessage(text[len(text)-mostLooked:])
}

// isEmptyValue tells of null, false, 0, "", [] and {}.
func isEmptyValue(value string) bool {
	for _, empty := range []string{"null", "false", `""`, "[]", "{}"} {
		if strings.HasPrefix(value, empty) {
			return true
		}
	}
	if value[0] == '[' || value[0] == '{' {
		rest := strings.TrimLeft(value[1:], " \t\r\n")
		return rest != "" && (rest[0] == ']' || rest[0] == '}')
	}
	return value[0] == '0' && (len(value) == 1 || !isDigit(value[1]) && value[1] != '.')
}
