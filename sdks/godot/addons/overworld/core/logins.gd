class_name OverworldLogins
extends RefCounted
## Internal. Logs the anonymous player in by the secret of the device, and keeps the session fresh.

@warning_ignore_start("return_value_discarded")

## A login failed that nobody waits for.
signal failed(error: OverworldError)
signal _ended

const IDENTITY_FILE: String = "player"
const SESSION_FILE: String = "login"
## A token is renewed this long before its end, so that it does not expire on its way.
const MARGIN_MS: int = 60000
const PAUSE_MS: int = 30000
const FOREVER: int = 9000000000000000

var _transport: OverworldTransport
var _storage: OverworldStorage
var _is_automatic: bool
# The anonymous player of this device: player_id, device_id and secret.
var _identity: Dictionary = {}
# The last answer to a login, with is_device. Empty without a login; without a refresh_token after its end.
var _session: Dictionary = {}
var _is_running: bool = false
var _pause_until: int = 0


func _init(transport: OverworldTransport, storage: OverworldStorage, is_automatic: bool) -> void:
	_transport = transport
	_storage = storage
	_is_automatic = is_automatic


## Reads the identity and the session of an earlier start.
func open() -> void:
	_session = OverworldJson.read_object(_storage.read(SESSION_FILE))
	var text: String = _storage.read(IDENTITY_FILE)
	_identity = OverworldJson.read_object(text)
	# Earlier releases kept only the id.
	if _identity.is_empty() and text != "":
		_identity = {"player_id": text}


## Id of the player who has logged in, or of the anonymous player; empty until the anonymous player may
## be made.
func get_player_id() -> String:
	if not _session.is_empty():
		return _session["player_id"]
	if not _transport.is_enabled:
		return _identity.get("player_id", "")
	_complete_identity()
	return _identity["player_id"]


func is_logged_in() -> bool:
	return _session.has("refresh_token")


func get_providers() -> Array:
	return _session.get("providers", [])


## Takes over the providers of an answer, also for the next start.
func note(result: OverworldResult) -> OverworldResult:
	if not result.ok:
		return result
	var answer: Dictionary = result.value["body"]
	var providers: Array = answer.get("providers", [])
	if not _session.is_empty():
		_session["providers"] = providers
		_set_session(_session)
	return OverworldResult.success(providers)


## Logs the anonymous player in, unless another player plays.
func log_in_by_device() -> void:
	if _is_running:
		await _ended
	elif _session.is_empty() and _is_automatic and _transport.is_enabled and not _is_paused():
		await _run(false)


## The token for a call about a player; empty if this player has not logged in.
func token_of(player_id: String) -> String:
	if not is_logged_in() or _session["player_id"] != player_id:
		return ""
	var server_now: int = OverworldMoment.now() + _transport.clock.get_offset()
	var expires_at: String = _session["expires_at"]
	if OverworldMoment.read(expires_at) - MARGIN_MS <= server_now and not _is_paused():
		await _run(true)
	return _session.get("player_token", "")


## Another token than this one; empty if there is none.
func renew(player_id: String, token: String) -> String:
	if player_id != get_player_id():
		return ""
	var may_enter: bool = _is_automatic if _session.is_empty() else is_logged_in()
	if may_enter and _session.get("player_token", "") == token and not _is_paused():
		await _run(not _session.is_empty())
	var next: String = _session.get("player_token", "")
	return next if next != token and _session.get("player_id") == player_id else ""


## Logs in by a call of the API.
func enter(path: String, body: Dictionary, is_device: bool) -> OverworldResult:
	var json: String = OverworldJson.write(body)
	var result: OverworldResult = await _transport.request(HTTPClient.METHOD_POST, "/v1/players/" + path, json)
	if not result.ok:
		return result
	var answer: Dictionary = result.value["body"]
	var next: Dictionary = answer.duplicate()
	next["is_device"] = is_device
	_set_session(next)
	if is_device and _identity.get("player_id") != answer["player_id"]:
		_identity["player_id"] = answer["player_id"]
		_keep_identity()
	return OverworldResult.success(answer)


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
	if result.ok:
		_identity["device_id"] = device_id
		_identity["secret"] = secret
		_keep_identity()
	return result


func leave() -> OverworldResult:
	var refusal: OverworldResult = _transport.find_refusal()
	if refusal != null:
		return refusal
	var token: String = _session.get("refresh_token", "")
	_set_session({})
	if token == "":
		return OverworldResult.success(null)
	var body: String = OverworldJson.write({"refresh_token": token})
	var result: OverworldResult = await _transport.request(HTTPClient.METHOD_POST, "/v1/players/logout", body)
	return OverworldResult.success(null) if result.ok else result


func _is_paused() -> bool:
	return OverworldMoment.now() < _pause_until


## Runs one login at a time.
func _run(is_refresh: bool) -> void:
	if _is_running:
		await _ended
		return
	_is_running = true
	var result: OverworldResult
	if is_refresh:
		result = await _refresh()
	else:
		result = await _enter_by_device()
	_is_running = false
	if not result.ok:
		# A server of an earlier release has no such path.
		var is_unknown: bool = result.error.code == "not_found"
		_pause_until = FOREVER if is_unknown else OverworldMoment.now() + PAUSE_MS
		if not is_unknown:
			failed.emit(result.error)
	_ended.emit()


func _enter_by_device() -> OverworldResult:
	_complete_identity()
	var body: Dictionary = _identity.duplicate()
	body["provider"] = "device"
	var result: OverworldResult = await enter("login", body, true)
	if result.ok or (result.error.code != "conflict" and result.error.code != "forbidden"):
		return result
	# Somebody else has claimed the id (boards show it to everybody), or the game refuses claims.
	failed.emit(result.error)
	body.erase("player_id")
	return await enter("login", body, true)


func _refresh() -> OverworldResult:
	var is_device: bool = _session["is_device"]
	var result: OverworldResult = await enter("refresh", {"refresh_token": _session["refresh_token"]}, is_device)
	if result.ok or result.error.code != "unauthorized":
		return result
	if is_device:
		_set_session({})
		return await _enter_by_device()
	# The game must ask the player to log in. Until then, nobody else may play in this player's place.
	_session.erase("refresh_token")
	_session.erase("player_token")
	_set_session(_session)
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


func _keep_identity() -> void:
	_storage.write(IDENTITY_FILE, OverworldJson.write(_identity))


func _set_session(next: Dictionary) -> void:
	_session = next
	if next.is_empty():
		_storage.remove(SESSION_FILE)
	else:
		_storage.write(SESSION_FILE, OverworldJson.write(next))
