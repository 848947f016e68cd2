class_name OverworldConfig
extends RefCounted
## The remote config. The dashboard sets it.

signal _asked(player_id: String, result: OverworldResult)

const FILE: String = "config"

var _transport: OverworldTransport
var _player: OverworldPlayer
var _storage: OverworldStorage
# The last answer of the server: player_id, etag, config, version. Empty before the first answer.
var _known: Dictionary = {}
var _asked_at: int = 0
# The player of the current request; empty without one.
var _asking_for: String = ""


func _init(transport: OverworldTransport, player: OverworldPlayer, storage: OverworldStorage) -> void:
	_transport = transport
	_player = player
	_storage = storage


## Reads the values of an earlier start.
func open() -> void:
	_known = OverworldJson.read_object(_storage.read(FILE))


## The values for the player. The server is asked at most once a minute, or once in [param
## max_age_seconds], and its answer has no body while nothing has changed. If the server is not reached,
## it gives the server's last values, even those of an earlier start. The value has [code]config[/code],
## [code]version[/code] and [code]is_stale[/code].
func load(max_age_seconds: float = 60.0) -> OverworldResult:
	var refusal: OverworldResult = _transport.find_refusal()
	if refusal != null:
		return refusal
	var player_id: String = await _player.wait_for_id()
	# The clock may have been set back.
	var age_ms: int = absi(OverworldMoment.now() - _asked_at)
	if _is_known(player_id) and age_ms < max_age_seconds * 1000.0:
		return _describe(_known, false)
	while _asking_for == player_id:
		var told: Array = await _asked
		if told[0] == player_id:
			return told[1]
	_asking_for = player_id
	var result: OverworldResult = await _ask(player_id)
	if _asking_for == player_id:
		_asking_for = ""
	_asked.emit(player_id, result)
	return result


## One value of the last load. Gives [param default] if there is no value, or a value of another kind.
## So with the default 1 it is a number, with [code]""[/code] a text, and with a float as the default it
## is a float.
func get_value(key: String, default: Variant = null) -> Variant:
	var values: Dictionary = _known.get("config", {})
	var value: Variant = values.get(key, default)
	if default != null and _kind_of(value) != _kind_of(default):
		var words: Array = [key, _kind_of(value), _kind_of(default)]
		_transport.hints.say("The config value %s is a %s, not a %s: the default is used" % words)
		return default
	if not default is float:
		return value
	var number: float = value
	return number


func _ask(player_id: String) -> OverworldResult:
	var last: Dictionary = _known if _is_known(player_id) else {}
	var etag: String = last.get("etag", "")
	var headers: Dictionary = {"If-None-Match": etag} if etag != "" else {}
	var path: String = "/v1/config?player_id=" + player_id.uri_encode()
	var result: OverworldResult = await _transport.request(HTTPClient.METHOD_GET, path, "config", "", headers, true, player_id)
	if not result.ok:
		return result if last.is_empty() else _describe(last, true)
	var next: Dictionary = last
	if result.value["status"] != 304:
		var answer: Dictionary = result.value["body"]
		next = {
			"player_id": player_id,
			"etag": result.value["etag"],
			"config": answer.get("config", {}),
			"version": answer.get("version", 0),
		}
	# Otherwise the player has changed in the meantime.
	if player_id == _player.get_id():
		_asked_at = OverworldMoment.now()
		_known = next
		@warning_ignore("return_value_discarded")
		_storage.write(FILE, OverworldJson.write(_known))
	return _describe(next, false)


func _is_known(player_id: String) -> bool:
	return _known.get("player_id") == player_id


static func _kind_of(value: Variant) -> String:
	if value is bool:
		return "boolean"
	if value is int or value is float:
		return "number"
	if value is String or value is StringName:
		return "string"
	if value is Dictionary:
		return "object"
	return "null" if value == null else "list"


static func _describe(known: Dictionary, is_stale: bool) -> OverworldResult:
	var value: Dictionary = {"config": known["config"], "version": known["version"], "is_stale": is_stale}
	return OverworldResult.success(value)
