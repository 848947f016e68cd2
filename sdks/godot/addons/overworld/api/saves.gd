extends RefCounted
## The player's cloud save: any dictionary that is a JSON object of up to 100 KB.

const Conflicts := preload("res://addons/overworld/core/conflicts.gd")
const Moment := preload("res://addons/overworld/core/moment.gd")
const Player := preload("res://addons/overworld/core/player.gd")
const Transport := preload("res://addons/overworld/core/transport.gd")
const Turns := preload("res://addons/overworld/core/turns.gd")

const PATH := "/v1/saves"
## Each further round means that another device saved after our last answer.
const MAX_ROUNDS := 20

var _transport: Transport
var _player: Player
# The last version that this client knows: player_id, version, text. Empty before.
var _known := {}
var _turns := Turns.new()


func _init(transport: Transport, player: Player) -> void:
	_transport = transport
	_player = player


## Loads the save. The value has [code]data[/code], [code]version[/code] and [code]updated_at[/code];
## it is null if there is no save.
func load() -> OverworldResult:
	var player_id := _player.id
	await _turns.take()
	var result := await _transport.request(HTTPClient.METHOD_GET, _path_of(player_id))
	if result.ok:
		var save: Dictionary = result.value["body"]
		_note(player_id, save["version"], OverworldJson.write(save["data"]))
		result = OverworldResult.success(save)
	elif _is_no_save(result):
		_known = {}
		result = OverworldResult.success(null)
	_turns.end()
	return result


## Saves, if the server still has the version that was loaded or saved here last (or
## [code]version[/code]); else [code]on_conflict[/code] decides: [code]"ours"[/code],
## [code]"theirs"[/code], [code]"newest"[/code], [code]"per-field"[/code], or a function that gets a
## dictionary of [code]ours[/code], [code]theirs[/code], [code]base[/code] (or null),
## [code]version[/code] and [code]updated_at[/code] and returns the data to save; it must await no other
## call of these.
## The value has [code]data[/code], [code]version[/code], [code]updated_at[/code] and
## [code]was_conflict[/code]. Without [code]on_conflict[/code] a conflict is an error, nothing is
## stored then, and each save fails so until the next load. Saves are sent one after another.
func save(data: Dictionary, options := {}) -> OverworldResult:
	# The game may change the data while earlier saves are sent.
	var text := OverworldJson.write(data)
	if text == "":
		return OverworldResult.failure(OverworldError.make("invalid_argument", "data has no form in JSON"))
	var saved_at := Moment.now() + _transport.clock.get_offset()
	var player_id := _player.id
	await _turns.take()
	var result := await _save(player_id, text, options, saved_at)
	_turns.end()
	return result


## Deletes the save; it is no error if there is none. If the answer is lost, the call is not tried
## again, because another device may have saved by then.
func delete() -> OverworldResult:
	var player_id := _player.id
	await _turns.take()
	var result := await _transport.request(HTTPClient.METHOD_DELETE, _path_of(player_id), "", {}, false)
	if result.ok or _is_no_save(result):
		_known = {}
		result = OverworldResult.success(null)
	_turns.end()
	return result


func _save(player_id: String, first_text: String, options: Dictionary, saved_at: int) -> OverworldResult:
	var start: Dictionary = _known if _known.get("player_id") == player_id else {}
	var version: int = options.get("version", start.get("version", 0))
	var base: Variant = start.get("text") if start.get("version") == version else null
	var text := first_text
	for round_number in range(1, MAX_ROUNDS + 1):
		var body := "{\"player_id\":%s,\"version\":%d,\"data\":%s}" % [OverworldJson.write(player_id), version, text]
		var result := await _transport.request(HTTPClient.METHOD_PUT, PATH, body)
		if result.ok:
			var stored: Dictionary = result.value["body"]
			return _finish(player_id, stored["version"], text, stored["updated_at"], round_number > 1)
		if result.error.code != "conflict":
			return result
		var there: Dictionary = result.error.body
		var theirs := OverworldJson.write(there["server_data"])
		# The save on the server is ours: it was stored before, and the answer was lost.
		if theirs == text:
			return _finish(player_id, there["server_version"], theirs, there["updated_at"], round_number > 1)
		if not options.has("on_conflict") or round_number == MAX_ROUNDS:
			return result
		var conflict := {
			"ours": OverworldJson.read(text),
			"theirs": there["server_data"],
			"base": null if base == null else OverworldJson.read(base),
			"version": there["server_version"],
			"updated_at": there["updated_at"],
		}
		text = OverworldJson.write(await Conflicts.resolve(options["on_conflict"], conflict, saved_at))
		if text == "":
			return OverworldResult.failure(OverworldError.make("invalid_argument", "on_conflict gave no data to save"))
		if text == theirs:
			return _finish(player_id, there["server_version"], theirs, there["updated_at"], true)
		base = theirs
		version = there["server_version"]
	return null


func _finish(player_id: String, version: int, text: String, updated_at: String, was_conflict: bool) -> OverworldResult:
	_note(player_id, version, text)
	return OverworldResult.success({
		"data": OverworldJson.read(text),
		"version": version,
		"updated_at": updated_at,
		"was_conflict": was_conflict,
	})


func _note(player_id: String, version: int, text: String) -> void:
	_known = {"player_id": player_id, "version": version, "text": text}


static func _path_of(player_id: String) -> String:
	return PATH + "?player_id=" + player_id.uri_encode()


## A 404 of a proxy does not mean that there is no save.
static func _is_no_save(result: OverworldResult) -> bool:
	return result.error.body.get("error") == "No save found"
