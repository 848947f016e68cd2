class_name OverworldLogins
extends RefCounted
## Internal. Logs the anonymous player in by the secret of the device, and keeps the sessions of players
## fresh.

@warning_ignore_start("return_value_discarded")

## A login failed that nobody waits for.
signal failed(error: OverworldError)
## Another client has changed the player of the next start.
signal changed_elsewhere(player_id: String)
signal _ended

const IDENTITY_FILE: String = "player"
## A token is renewed this long before its end, so that it does not expire on its way.
const MARGIN_MS: int = 60000
const PAUSE_MS: int = 30000
## A server without logins may be replaced while the game runs.
const UNKNOWN_PAUSE_MS: int = 3600000

## The players whose calls and events wait until they log in.
var absent: Dictionary = {}
var _transport: OverworldTransport
var _storage: OverworldStorage
var _is_automatic: bool
# The anonymous player of this device: player_id, device_id and secret.
var _identity: Dictionary = {}
var _sessions: OverworldPlayerSessions
# The player of the next start, as last told.
var _told_id: String = ""
# The players whose logins are in progress.
var _running: Dictionary = {}
# The times before which no login of a player is tried automatically.
var _pauses: Dictionary = {}


func _init(transport: OverworldTransport, storage: OverworldStorage, is_automatic: bool) -> void:
	_transport = transport
	_storage = storage
	_is_automatic = is_automatic
	_sessions = OverworldPlayerSessions.new(storage)


## Reads the identity and the session of an earlier start.
func open() -> void:
	_sessions.open()
	var text: String = _storage.read(IDENTITY_FILE)
	_identity = OverworldJson.read_object(text)
	# Earlier releases kept only the id.
	if _identity.is_empty() and text != "":
		_identity = {"player_id": text}
	_take_device(_sessions.get_own())


## Id of the player who has logged in, or of the anonymous player; empty until the anonymous player may
## be made.
func get_player_id() -> String:
	if _sessions.own_id != "":
		return _sessions.own_id
	if not _transport.is_enabled:
		return _identity.get("player_id", "")
	_complete_identity()
	return _identity["player_id"]


func is_logged_in() -> bool:
	return _sessions.get_own().has("refresh_token")


func get_providers() -> Array:
	return _sessions.get_own().get("providers", [])


## Takes over the providers of an answer, also for the next start.
func note(result: OverworldResult) -> OverworldResult:
	if not result.ok:
		return result
	var answer: Dictionary = result.value["body"]
	var providers: Array = answer.get("providers", [])
	var own: Dictionary = _sessions.get_own()
	if not own.is_empty():
		own["providers"] = providers
		_sessions.keep(own, "", false)
	return OverworldResult.success(providers)


## Logs the anonymous player in, unless another player plays.
func log_in_by_device() -> void:
	if _sessions.own_id != "" or not _is_automatic or not _transport.is_enabled:
		return
	_complete_identity()
	var player_id: String = _identity["player_id"]
	if _running.has(player_id) or not _is_paused(player_id):
		await _run(player_id, _enter_by_device)


## The token for a call about any player; empty if there is no session of this player.
func token_of(player_id: String) -> String:
	var last: Dictionary = _sessions.find(player_id)
	var is_done: bool = not last.has("refresh_token") or _is_fresh(last) or _is_paused(player_id)
	if not _sessions.is_known(player_id) or not is_done:
		await _run(player_id, _freshen.bind(player_id, false))
	return _sessions.find_token(player_id)


## Another token of the player than this one; empty if there is none.
func renew(player_id: String, token: String) -> String:
	if _sessions.find_token(player_id) == token and not _is_paused(player_id):
		await _run(player_id, _freshen.bind(player_id, true))
	var next: String = _sessions.find_token(player_id)
	return "" if next == token else next


## Tells the game if another client has changed the player of the next start.
func look() -> void:
	var anonymous_id: String = _identity.get("player_id", "")
	var next_id: String = _sessions.get_next_id()
	if next_id == "":
		next_id = anonymous_id
	var own_id: String = anonymous_id if _sessions.own_id == "" else _sessions.own_id
	var is_news: bool = next_id != _told_id and next_id != own_id
	_told_id = next_id
	if is_news:
		changed_elsewhere.emit(next_id)


## Logs in by a call of the API. The answer's player becomes the player of this client and of the next start.
func enter(path: String, body: Dictionary, is_device: bool) -> OverworldResult:
	return await _ask(path, body, is_device, "", true)


## Joins this device to the player who made the code.
func move(code: String) -> OverworldResult:
	var refusal: OverworldResult = _transport.find_refusal()
	if refusal != null:
		return refusal
	_complete_identity()
	# A device that has logged in belongs to another player.
	var device_id: String = OverworldIds.make()
	var secret: String = OverworldIds.make(32)
	var body: Dictionary = {"code": code, "provider": "device", "device_id": device_id, "secret": secret}
	var result: OverworldResult = await enter("move", body, true)
	_take_device(_sessions.get_own())
	return result


## Logs the device in again, if its player is the one of this client.
func enter_again() -> OverworldResult:
	var is_device: bool = _sessions.get_own().get("is_device", true)
	return await _enter_by_device() if _is_automatic and is_device else OverworldResult.success(null)


## Forgets an erased player. If it was the one of this device, the device gets a new one.
func forget(player_id: String) -> void:
	_sessions.forget(player_id)
	if _identity.get("player_id", "") != player_id:
		return
	_identity = {}
	_complete_identity()


func leave() -> OverworldResult:
	var refusal: OverworldResult = _transport.find_refusal()
	if refusal != null:
		return refusal
	var token: String = _sessions.leave()
	if token == "":
		return OverworldResult.success(null)
	var body: String = OverworldJson.write({"refresh_token": token})
	var result: OverworldResult = await _transport.request(HTTPClient.METHOD_POST, "/v1/players/logout", "", body)
	return OverworldResult.success(null) if result.ok else result


func _is_paused(player_id: String) -> bool:
	var until: int = _pauses.get(player_id, 0)
	return OverworldMoment.now() < until


func _is_fresh(session: Dictionary) -> bool:
	var server_now: int = OverworldMoment.now() + _transport.clock.get_offset()
	return OverworldPlayerSessions.get_expiry(session) - MARGIN_MS > server_now


## Runs one login of a player at a time.
func _run(player_id: String, login: Callable) -> void:
	if _running.has(player_id):
		while _running.has(player_id):
			await _ended
		return
	_running[player_id] = true
	var result: OverworldResult = await login.call()
	_running.erase(player_id)
	if not result.ok:
		# A server of an earlier release has no such path.
		var is_unknown: bool = result.error.code == "not_found"
		_pauses[player_id] = OverworldMoment.now() + (UNKNOWN_PAUSE_MS if is_unknown else PAUSE_MS)
		if not is_unknown:
			failed.emit(result.error)
	_ended.emit()


func _ask(path: String, body: Dictionary, is_device: bool, replaced: String, is_chosen: bool) -> OverworldResult:
	var json: String = OverworldJson.write(body)
	var result: OverworldResult = await _transport.request(HTTPClient.METHOD_POST, "/v1/players/" + path, "player_token", json)
	if not result.ok:
		return result
	var answer: Dictionary = result.value["body"]
	absent.erase(answer["player_id"])
	var next: Dictionary = answer.duplicate()
	next["is_device"] = is_device
	if is_device and body.has("secret"):
		next["device_id"] = body["device_id"]
		next["secret"] = body["secret"]
	_sessions.keep(next, replaced, is_chosen)
	return OverworldResult.success(answer)


func _enter_by_device() -> OverworldResult:
	_complete_identity()
	var player_id: String = _identity["player_id"]
	var body: Dictionary = _identity.duplicate()
	body["provider"] = "device"
	var result: OverworldResult = await _ask("login", body, true, player_id, false)
	if not result.ok and (result.error.code == "conflict" or result.error.code == "forbidden"):
		# Somebody else has claimed the id (boards show it to everybody), or the game refuses claims.
		failed.emit(result.error)
		body.erase("player_id")
		result = await _ask("login", body, true, player_id, false)
	if result.ok:
		var answer: Dictionary = result.value
		var entered_id: String = answer["player_id"]
		_take_device(_sessions.find(entered_id))
	return result


## Gets a session of the player from the storage or from the server.
func _freshen(player_id: String, is_refused: bool) -> OverworldResult:
	var token_before: String = _sessions.find_token(player_id)
	var last: Dictionary = _sessions.reread(player_id)
	var is_new: bool = _sessions.find_token(player_id) != token_before
	var result: OverworldResult = OverworldResult.success(null)
	if not last.is_empty() and _is_fresh(last) and (is_new or not is_refused):
		return result
	var is_device: bool = last.get("is_device", true)
	var must_enter: bool = is_refused
	if last.has("refresh_token"):
		var token: String = last["refresh_token"]
		result = await _ask("refresh", {"refresh_token": token}, is_device, "", false)
		if result.ok or result.error.code != "unauthorized":
			return result
		# The player may have logged in meanwhile.
		if _sessions.find(player_id).get("refresh_token", "") != token:
			return OverworldResult.success(null)
		# The game must ask the player to log in. Until then, nobody else may play in this player's place.
		last.erase("refresh_token")
		last.erase("player_token")
		_sessions.keep(last, "", false)
		must_enter = true
	if must_enter and is_device and _is_automatic and player_id == _identity.get("player_id", ""):
		return await _enter_by_device()
	return result


## Makes the parts of the identity that earlier releases did not keep.
func _complete_identity() -> void:
	if _identity.has("secret"):
		return
	if not _identity.has("player_id"):
		_identity["player_id"] = OverworldIds.make()
	_identity["device_id"] = OverworldIds.make()
	_identity["secret"] = OverworldIds.make(32)
	_keep_identity()


## Makes the device's identity that of a session. The session has the device's login too, so a kill between
## the two writes loses nothing.
func _take_device(session: Dictionary) -> void:
	if not session.has("secret"):
		return
	var next: Dictionary = {}
	for member: String in ["player_id", "device_id", "secret"]:
		next[member] = session[member]
	if next != _identity:
		_identity = next
		_keep_identity()


func _keep_identity() -> void:
	_storage.write(IDENTITY_FILE, OverworldJson.write(_identity))
