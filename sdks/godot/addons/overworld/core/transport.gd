class_name OverworldTransport
extends RefCounted
## Internal. Sends calls to the server, and repeats them if that may help.

@warning_ignore_start("return_value_discarded")

## Requests name it, and the dashboard shows which versions call.
const VERSION: String = "0.1.0"
const MAX_ATTEMPTS: int = 4
const LONGEST_BACKOFF_SECONDS: float = 8.0
## A longer wait is reported as an error instead of keeping the caller waiting.
## The time limit of calls that may take longer than others, unless the game gives all calls more time.
const LONG_SECONDS: float = 120.0
const LONGEST_RETRY_AFTER_SECONDS: float = 15.0

var clock: OverworldServerClock = OverworldServerClock.new()
## Gives the token of a player. Callables hold no reference, so this object and the logins, which send by
## it, are freed at the end.
var find_token: Callable
## Gives another token of a player than a refused one; empty if there is none.
var renew_token: Callable
## True if the player has agreed to be tracked. If not, nothing is sent.
var is_enabled: bool = false
var hints: OverworldHints
## The mistake because of which all calls fail; empty without one.
var mistake: String
var _frames: OverworldFrames
var _base_url: String
var _api_key: String
var _connections: OverworldConnections


func _init(frames: OverworldFrames, base_url: String, api_key: String, timeout_seconds: float) -> void:
	_frames = frames
	_base_url = base_url
	_api_key = api_key
	hints = OverworldHints.new(api_key)
	var address: OverworldServerAddress = OverworldServerAddress.new(base_url)
	mistake = OverworldHints.find_mistake(base_url, address.host, api_key)
	_connections = OverworldConnections.new(frames, address, timeout_seconds)


## The reason why no request is made; null if requests are made.
func find_refusal() -> OverworldResult:
	if mistake != "":
		return OverworldResult.failure(OverworldError.make("invalid_argument", mistake))
	if not is_enabled:
		return OverworldResult.failure(OverworldError.make("tracking_disabled", "The player has not agreed to be tracked"))
	return null


## Sends a request up to four times, while its failures may pass. [param is_safe] means that doing the
## call twice has the effect of doing it once. An unsafe call is sent again only if the answer says that
## nothing was done. [param gives] is a member of the answer if the call succeeds; it is empty if such an
## answer has no body. [param player_id] is the player whom the call is about; the player token proves it.
## [param is_long] gives the call more time. The value is the same as that of [method send].
func request(
		method: HTTPClient.Method,
		path: String,
		gives: String,
		body: String = "",
		headers: Dictionary = {},
		is_safe: bool = true,
		player_id: String = "",
		is_long: bool = false,
) -> OverworldResult:
	var attempt: int = 1
	while true:
		var result: OverworldResult = await send(method, path, gives, body, headers, player_id, is_long)
		if result.ok:
			return result
		var may_pass: bool = result.error.is_passing() if is_safe else result.error.code == "rate_limited"
		var asked: float = result.error.retry_after_seconds
		if not may_pass or attempt == MAX_ATTEMPTS or asked > LONGEST_RETRY_AFTER_SECONDS:
			return result
		await wait(OverworldBackoff.seconds_after(attempt, asked, LONGEST_BACKOFF_SECONDS))
		attempt += 1
	return null


## Sends a request once. The value is a dictionary of [code]status[/code], [code]body[/code] (a
## dictionary) and [code]etag[/code]; an answer with status 400 or more is a failure.
func send(
		method: HTTPClient.Method,
		path: String,
		gives: String,
		body: String = "",
		headers: Dictionary = {},
		player_id: String = "",
		is_long: bool = false,
) -> OverworldResult:
	if player_id == "" or not is_enabled:
		return await _send_once(method, path, gives, body, headers, is_long)
	var token: String = await find_token.call(player_id)
	var result: OverworldResult = await _send_once(method, path, gives, body, _add_token(headers, token), is_long)
	if result.ok or not result.error.lacks_login():
		return result
	var next: String = await renew_token.call(player_id, token)
	return result if next == "" else await _send_once(method, path, gives, body, _add_token(headers, next), is_long)


static func _add_token(headers: Dictionary, token: String) -> Dictionary:
	var all: Dictionary = headers.duplicate()
	if token != "":
		all["x-player-token"] = token
	return all


func _send_once(
		method: HTTPClient.Method, path: String, gives: String, body: String, headers: Dictionary, is_long: bool
) -> OverworldResult:
	var refusal: OverworldResult = find_refusal()
	if refusal != null:
		return refusal
	var lines: PackedStringArray = PackedStringArray(["x-game-api-key: " + _api_key, "overworld-sdk: godot/" + VERSION])
	if body != "":
		lines.append("Content-Type: application/json")
	for name: String in headers:
		lines.append(name + ": " + str(headers[name]))
	var sent_at: int = OverworldMoment.now()
	var result: OverworldResult = await _connections.exchange(method, path, lines, body, LONG_SECONDS if is_long else 0.0)
	if result.ok:
		var answer: Dictionary = result.value
		result = _read_answer(answer, sent_at, gives, headers.has("If-None-Match"))
	# At the end of the game, requests fail for no mistake.
	if not result.ok and is_enabled:
		_explain(result.error)
	return result


## Tells about a refused key, and an address where no server answers.
func _explain(error: OverworldError) -> void:
	if error.code == "unauthorized" and error.message.contains("API key"):
		hints.say("%s refuses the API key %s…: %s" % [_base_url, _api_key.left(12), error.message])
	# The server has no such route if the address has a path.
	elif ["network", "timeout", "bad_answer"].has(error.code) or error.message == "Route not found":
		hints.say("No Overworld server answers at %s: %s" % [_base_url, error.message])


func wait(seconds: float) -> void:
	await _frames.wait(seconds)


func _read_answer(answer: Dictionary, sent_at: int, gives: String, is_conditional: bool) -> OverworldResult:
	var status: int = answer["status"]
	var headers: Dictionary = answer["headers"]
	var bytes: PackedByteArray = answer["bytes"]
	var json: Variant = OverworldJson.read(bytes.get_string_from_utf8())
	var is_marked: bool = headers.get("overworld-server", "") != ""
	if not is_ours(status, json, is_marked, gives, is_conditional):
		return OverworldResult.failure(OverworldError.from_other(status, headers))
	var date: String = headers.get("date", "")
	clock.learn(date, sent_at, OverworldMoment.now())
	var body: Dictionary = json if json is Dictionary else {}
	if status >= 400:
		return OverworldResult.failure(OverworldError.from_answer(status, headers, body))
	return OverworldResult.success({"status": status, "body": body, "etag": headers.get("etag", "")})


## Tells whether an answer is from Overworld, and not from a proxy, a captive portal or another server. All
## SDKs have this rule; [code]sdks/transcripts/tables/answers.json[/code] lists its cases. Servers of the
## first releases do not mark their answers, and a proxy may remove the mark.
static func is_ours(status: int, json: Variant, is_marked: bool, gives: String, is_conditional: bool) -> bool:
	# A proxy that refuses the size of a request would always refuse it, so the call must not wait.
	if status == 413:
		return true
	if status == 304:
		return is_conditional
	if status == 204:
		return gives == ""
	if not json is Dictionary:
		return false
	var body: Dictionary = json
	if status >= 400:
		return is_marked or body.get("error") is String
	return status >= 200 and status < 300 and (is_marked or body.has(gives))
