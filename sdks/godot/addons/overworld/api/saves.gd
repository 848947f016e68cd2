class_name OverworldSaves
extends RefCounted
## The player's cloud save: any dictionary that is a JSON object of up to 100 KB.

@warning_ignore_start("return_value_discarded")

const PATH: String = "/v1/saves"
## The slot of calls that name no slot.
const MAIN_SLOT: String = "main"
## Each further round means that another device saved after our last answer. The pause before the last
## round is half a second at most. Each earlier pause is half as long as the next.
const MAX_ROUNDS: int = 8
const LONGEST_PAUSE_SECONDS: float = 0.5
const MAX_EARLIER: int = 10
const MAX_VERSION_LENGTH: int = 64

var _transport: OverworldTransport
var _player: OverworldPlayer
var _kept: OverworldKeptCalls
# Decides conflicts of saves without an on_conflict; null if the game has given no such policy.
var _policy: Variant
# The last version that this client knows, by player and slot: version and text.
var _known: Dictionary = {}
# Marks of saves that the server may have stored, although no answer came, by player and slot. If the
# storage is full, nothing else remembers them.
var _unsure: Dictionary = {}


func _init(transport: OverworldTransport, player: OverworldPlayer, kept: OverworldKeptCalls, policy: Variant) -> void:
	_transport = transport
	_player = player
	_kept = kept
	_policy = policy
	kept.serve(OverworldKeptCalls.SAVES, _save)


## Loads the save. The value has [code]data[/code], [code]version[/code] and [code]updated_at[/code]; it
## is null if there is no save. A save that waits for the network is sent first. If sending fails, this
## waiting save is loaded, with [code]is_kept[/code]. [param slot] is a name of your own, up to 64
## characters; without it [code]main[/code].
func load(slot: String = MAIN_SLOT) -> OverworldResult:
	var refusal: OverworldResult = _transport.find_refusal()
	if refusal != null:
		return refusal
	var player_id: String = await _player.wait_for_id()
	await _kept.enter(OverworldKeptCalls.SAVES)
	var result: OverworldResult = await _load(player_id, _target_of(slot))
	_kept.leave(OverworldKeptCalls.SAVES)
	return result


## Saves, if the server still has the version that was loaded or saved here last (or
## [code]version[/code]). If not, [code]on_conflict[/code] decides: [code]"ours"[/code],
## [code]"theirs"[/code], [code]"newest"[/code], [code]"per-field"[/code], or a function that gets a
## dictionary of [code]ours[/code], [code]theirs[/code], [code]base[/code] (or null),
## [code]version[/code] and [code]updated_at[/code] and returns the data to save. The function must not
## await other calls of saves. The value has [code]data[/code], [code]version[/code],
## [code]updated_at[/code] and [code]was_conflict[/code]. Without [code]on_conflict[/code] a conflict is
## an error: nothing is stored, and each further save fails in the same way until the next load. With
## [code]on_conflict[/code] it is an error after eight conflicts in a row. Saves are sent one after
## another. Without a network the error has [code]is_kept[/code]: the save is sent later, unless a later
## one of the [code]slot[/code] replaces it.
func save(data: Dictionary, options: Dictionary = {}) -> OverworldResult:
	# The game may change the data while earlier saves are sent.
	var text: String = OverworldJson.write(data)
	if text == "":
		return OverworldResult.failure(OverworldError.make("invalid_argument", "data has no form in JSON"))
	var saved_at: int = OverworldMoment.now() + _transport.clock.get_offset()
	var policy: Variant = options.get("on_conflict")
	var given_slot: String = options.get("slot", MAIN_SLOT)
	var slot: String = _target_of(given_slot)
	var player_id: String = await _player.wait_for_id()
	var last: OverworldKeptCall = _kept.find(OverworldKeptCalls.SAVES, player_id, slot)
	if last != null and not last.is_seen:
		last = null
	var start: Dictionary = _known.get(player_id + " " + slot, _base_of(last))
	if options.has("version") and options["version"] != start.get("version", 0):
		start = {"version": options["version"]}
	return await _kept.make({
		"kind": OverworldKeptCalls.SAVES,
		"player_id": player_id,
		"target": slot,
		"text": text,
		"version": start.get("version", 0),
		"base": start.get("text"),
		"saved_at": saved_at,
		"policy": policy if policy is String else null,
		"earlier": _unsure.get(player_id + " " + slot, []) if last == null else _earlier_of(last),
		# A save that is sent by a later version of the game stays one of this version.
		"app_version": _find_version(),
	}, options)


## Deletes the save; it is no error if there is none. If the answer is lost, the call is not tried
## again, because another device may have saved by then.
func delete(slot: String = MAIN_SLOT) -> OverworldResult:
	var refusal: OverworldResult = _transport.find_refusal()
	if refusal != null:
		return refusal
	var target: String = _target_of(slot)
	var player_id: String = await _player.wait_for_id()
	await _kept.enter(OverworldKeptCalls.SAVES)
	var waiting: OverworldKeptCall = _kept.find(OverworldKeptCalls.SAVES, player_id, target)
	if waiting != null and not waiting.is_awaited:
		_kept.remove(waiting)
	var path: String = _path_of(player_id, target)
	var result: OverworldResult = await _transport.request(HTTPClient.METHOD_DELETE, path, "", "", {}, false, player_id)
	if result.ok or _is_no_save(result):
		_known.erase(player_id + " " + target)
		result = OverworldResult.success(null)
	_kept.leave(OverworldKeptCalls.SAVES)
	return result


## The slots that have a save: dictionaries of [code]slot[/code], [code]version[/code],
## [code]updated_at[/code] and [code]size_bytes[/code]. The main slot comes first, then the others by
## name. Saves that wait for the network are sent first.
func list() -> OverworldResult:
	var refusal: OverworldResult = _transport.find_refusal()
	if refusal != null:
		return refusal
	var player_id: String = await _player.wait_for_id()
	await _kept.enter(OverworldKeptCalls.SAVES)
	var path: String = PATH + "/slots?player_id=" + player_id.uri_encode()
	var result: OverworldResult = await _transport.request(HTTPClient.METHOD_GET, path, "slots", "", {}, true, player_id)
	_kept.leave(OverworldKeptCalls.SAVES)
	return OverworldResult.success(result.value["body"]["slots"]) if result.ok else result


func _load(player_id: String, slot: String) -> OverworldResult:
	var waiting: OverworldKeptCall = _kept.find(OverworldKeptCalls.SAVES, player_id, slot)
	if waiting != null and not waiting.is_awaited:
		waiting.is_seen = true
		var text: String = waiting.members["text"]
		var saved_at: int = waiting.members["saved_at"]
		return OverworldResult.success({
			"data": OverworldJson.read(text),
			"version": waiting.members["version"],
			"updated_at": OverworldMoment.write(saved_at),
			"is_kept": true,
		})
	var path: String = _path_of(player_id, slot)
	var result: OverworldResult = await _transport.request(HTTPClient.METHOD_GET, path, "version", "", {}, true, player_id)
	if result.ok:
		var loaded: Dictionary = result.value["body"]
		var version: int = loaded["version"]
		_note(player_id + " " + slot, version, OverworldJson.write(loaded["data"]))
		return OverworldResult.success(loaded)
	if not _is_no_save(result):
		return result
	_known.erase(player_id + " " + slot)
	return OverworldResult.success(null)


func _save(kept: OverworldKeptCall) -> OverworldResult:
	var members: Dictionary = kept.members
	var player_id: String = members["player_id"]
	var policy: Variant = kept.given.get("on_conflict", _policy if members["policy"] == null else members["policy"])
	var saved_at: int = members["saved_at"]
	var earlier: Array = members["earlier"]
	var version: int = members["version"]
	var base: Variant = members["base"]
	var known: Dictionary = _known.get(kept.get_key(), {})
	var known_text: String = known.get("text", "")
	# The previous save is stored by now, so this save continues from it. It does not continue from a
	# merge, because it was made before the merge.
	if earlier.has(_mark_of(known_text)):
		version = known["version"]
		base = known_text
	var text: String = members["text"]
	var app_version: String = members.get("app_version", "")
	var headers: Dictionary = {} if app_version == "" else {"overworld-app-version": app_version}
	var was_conflict: bool = false
	for round_number: int in range(1, MAX_ROUNDS + 1):
		var body: String = _write_request(members, version, text)
		var result: OverworldResult = await _transport.request(HTTPClient.METHOD_PUT, PATH, "version", body, headers, true, player_id)
		if not result.ok and result.error.code != "conflict":
			if kept.is_seen:
				_unsure[kept.get_key()] = _earlier_of(kept)
			return result
		var there: Dictionary = result.value["body"] if result.ok else result.error.body
		var there_version: int = there["version" if result.ok else "server_version"]
		var there_since: String = there["updated_at"]
		if result.ok:
			return _finish(kept, there_version, text, there_since, was_conflict)
		var theirs: String = OverworldJson.write(there["server_data"])
		if theirs != text and not earlier.has(_mark_of(theirs)):
			if policy == null:
				return result
			var base_text: String = "null" if base == null else base
			var conflict: Dictionary = {
				"ours": OverworldJson.read(text),
				"theirs": there["server_data"],
				"base": OverworldJson.read(base_text),
				"version": there_version,
				"updated_at": there_since,
			}
			text = OverworldJson.write(await OverworldConflicts.resolve(policy, conflict, saved_at))
			was_conflict = true
			if text == "":
				return OverworldResult.failure(OverworldError.make("invalid_argument", "on_conflict gave no data to save"))
		# Either the policy chose the data on the server, or that data is ours: it was stored before, and the
		# answer was lost.
		if theirs == text:
			return _finish(kept, there_version, theirs, there_since, was_conflict)
		if round_number == MAX_ROUNDS:
			return result
		base = theirs
		version = there_version
		await _transport.wait(OverworldBackoff.seconds_after(round_number + 2 - MAX_ROUNDS, 0.0, LONGEST_PAUSE_SECONDS))
	return null


func _finish(kept: OverworldKeptCall, version: int, text: String, updated_at: String, was_conflict: bool) -> OverworldResult:
	# A game that has not seen this save must get it as a conflict.
	if kept.is_awaited or (kept.is_seen and not was_conflict):
		_unsure.erase(kept.get_key())
		_note(kept.get_key(), version, text)
	return OverworldResult.success({
		"data": OverworldJson.read(text),
		"version": version,
		"updated_at": updated_at,
		"was_conflict": was_conflict,
	})


func _note(key: String, version: int, text: String) -> void:
	_known[key] = {"version": version, "text": text}


## The name by which kept calls and requests know a slot.
static func _target_of(slot: String) -> String:
	return "" if slot == MAIN_SLOT else slot


static func _write_request(members: Dictionary, version: int, text: String) -> String:
	var slot: String = "" if members["target"] == "" else "\"slot\":%s," % OverworldJson.write(members["target"])
	var player_id: String = OverworldJson.write(members["player_id"])
	return "{\"player_id\":%s,%s\"version\":%d,\"data\":%s}" % [player_id, slot, version, text]


## The version of the game if a header can carry it: 1 to 64 printable characters of ASCII. Otherwise empty.
static func _find_version() -> String:
	var setting: String = ProjectSettings.get_setting("application/config/version", "")
	var version: String = setting.strip_edges()
	if version.length() > MAX_VERSION_LENGTH:
		return ""
	for at: int in version.length():
		if version.unicode_at(at) < 32 or version.unicode_at(at) > 126:
			return ""
	return version


static func _base_of(last: OverworldKeptCall) -> Dictionary:
	return {} if last == null else {"version": last.members["version"], "text": last.members["base"]}


## Marks of the saves of the slot that the server may have stored without an answer.
static func _earlier_of(last: OverworldKeptCall) -> Array:
	var text: String = last.members["text"]
	var marks: Array = last.members["earlier"] + [_mark_of(text)]
	return marks.slice(maxi(0, marks.size() - MAX_EARLIER))


static func _mark_of(text: String) -> String:
	return text.sha256_text().left(16)


static func _path_of(player_id: String, slot: String) -> String:
	var path: String = PATH + "?player_id=" + player_id.uri_encode()
	return path if slot == "" else path + "&slot=" + slot.uri_encode()


## A 404 of a proxy does not mean that there is no save.
static func _is_no_save(result: OverworldResult) -> bool:
	return result.error.body.get("error") == "No save found"
