class_name OverworldError
extends RefCounted
## The error of a failed call.

const CODES: Dictionary = {
	400: "bad_request",
	401: "unauthorized",
	403: "forbidden",
	404: "not_found",
	409: "conflict",
	413: "too_large",
	429: "rate_limited",
}

## The kind of error: [code]network[/code], [code]timeout[/code] (no answer came; the server may or
## may not have done the call), [code]bad_answer[/code] (a proxy, a captive portal or another
## server answered, which counts as if no answer had come),
## [code]bad_request[/code], [code]unauthorized[/code], [code]forbidden[/code],
## [code]not_found[/code], [code]conflict[/code], [code]too_large[/code], [code]rate_limited[/code],
## [code]quota_exceeded[/code], [code]server_error[/code], [code]http_error[/code];
## [code]invalid_argument[/code] and [code]tracking_disabled[/code] if nothing was sent;
## [code]queue_full[/code] if the oldest of too many kept calls is given up; [code]store_failed[/code] if
## the storage is full or blocked (the call has not reached the server and is not kept, and
## [member message] says why; of [signal Overworld.send_failed]: what waits for the network would be lost
## at the end of the game).
var code: String
## The problem in words.
var message: String
## Status of the answer; 0 if no answer came.
var status: int = 0
## Id of the request in the log of the server; empty if no answer came.
var request_id: String = ""
## The JSON of the answer; empty without an answer.
var body: Dictionary = {}
## True if the call is in the storage of the device, and will be sent when the server is reached. If not, the
## client has forgotten it.
var is_kept: bool = false
## Seconds to wait before the next try, at most a day; 0 if the server does not say.
var retry_after_seconds: float = 0.0


static func make(error_code: String, words: String) -> OverworldError:
	var made: OverworldError = OverworldError.new()
	made.code = error_code
	made.message = words
	return made


## An answer with status 400 or more.
static func from_answer(answer_status: int, headers: Dictionary, answer_body: Dictionary) -> OverworldError:
	var is_quota: bool = answer_status == 429 and answer_body.has("quota")
	var fallback: String = "server_error" if answer_status >= 500 else "http_error"
	var known: String = CODES.get(answer_status, fallback)
	var words: String = str(answer_body.get("error", "HTTP %d" % answer_status))
	var made: OverworldError = OverworldError.make("quota_exceeded" if is_quota else known, words)
	made.status = answer_status
	made.request_id = headers.get("x-request-id", "")
	made.body = answer_body
	var retry_after: String = headers.get("retry-after", "")
	made.retry_after_seconds = clampf(_read_retry_after(retry_after), 0.0, 86400.0)
	return made


## An answer that is not from Overworld. Nothing that it says counts.
static func from_other(answer_status: int, headers: Dictionary) -> OverworldError:
	# The query of a redirect may be secret.
	var location: String = headers.get("location", "")
	var words: String = "%d %s %s" % [answer_status, headers.get("content-type", ""), location.get_slice("?", 0)]
	var made: OverworldError = OverworldError.make("bad_answer", "The answer is not from Overworld (%s)" % words.strip_edges())
	made.status = answer_status
	return made


## The storage has not taken what must wait.
static func from_storage(cause: String) -> OverworldError:
	return OverworldError.make("store_failed", "The storage is full or blocked: nothing is kept (%s)" % cause)


## The header holds seconds or a date.
static func _read_retry_after(text: String) -> float:
	if text.is_valid_float():
		return text.to_float()
	return (OverworldMoment.read_http_date(text) - OverworldMoment.now()) / 1000.0


## Tells whether the call lacks a valid token of its player. Errors about the key say nothing about the token.
func lacks_login() -> bool:
	return code == "unauthorized" and (message.contains("token") or message.contains("logged in"))


## Tells whether the same request may succeed a little later.
func is_passing() -> bool:
	var passing: Array = ["network", "timeout", "bad_answer", "rate_limited", "server_error"]
	return passing.has(code) or status == 408


## Tells whether the same request may succeed at all: later, with a network, with a key or login that is
## valid again, or when the player agrees again to be tracked.
func may_pass_later() -> bool:
	return is_passing() or code == "unauthorized" or code == "tracking_disabled"
