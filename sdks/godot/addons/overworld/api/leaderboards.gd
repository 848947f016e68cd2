class_name OverworldLeaderboards
extends RefCounted
## Leaderboards: each player has one entry on a board, the best score.

@warning_ignore_start("return_value_discarded")

var _transport: OverworldTransport
var _player: OverworldPlayer
var _kept: OverworldKeptCalls


func _init(transport: OverworldTransport, player: OverworldPlayer, kept: OverworldKeptCalls) -> void:
	_transport = transport
	_player = player
	_kept = kept
	kept.serve(OverworldKeptCalls.SCORES, _submit)


## Submits a score of the player, an int or a float. A score that is not better changes nothing; on a board that
## keeps the latest score or the sum, each call counts once. [param options] may have [code]player_name[/code],
## [code]metadata[/code] (a dictionary, 8 KB at most) and [code]tie_value[/code], which decides among equal
## scores on a board with a tie-break. Without a network the error has [code]is_kept[/code], and the score is sent
## later.
## The value is the stored entry: [code]rank[/code], [code]score[/code], [code]updated[/code]…
func submit(board_name: String, score: Variant, options: Dictionary = {}) -> OverworldResult:
	var given: Dictionary = options.duplicate(true)
	var player_id: String = await _player.wait_for_id()
	var entry: Dictionary = {"board_name": board_name, "player_id": player_id, "score": score}
	for name: String in ["player_name", "metadata", "tie_value"]:
		if given.has(name):
			entry[name] = given[name]
	var body: String = OverworldJson.write(entry)
	if body == "":
		return OverworldResult.failure(OverworldError.make("invalid_argument", "the score has no form in JSON"))
	var members: Dictionary = {
		"kind": OverworldKeptCalls.SCORES,
		"player_id": player_id,
		"target": board_name,
		"score": score,
		"key": OverworldIds.make(),
		"body": body,
	}
	if entry.has("tie_value"):
		members["tie_value"] = entry["tie_value"]
	return await _kept.make(members)


## A page of a board: the first 50 entries, or [code]limit[/code] entries (1 to 100) from
## [code]offset[/code] on, both in [param options]; [code]season[/code] selects a past season. The value
## has [code]entries[/code] and [code]total_entries[/code].
func page(board_name: String, options: Dictionary = {}) -> OverworldResult:
	var path: String = _path_of(board_name) + _write_query(options, ["limit", "offset", "season"])
	return _take_body(await _transport.request(HTTPClient.METHOD_GET, path, "entries"))


## The player's entry with up to [code]above[/code] entries before it and up to [code]below[/code]
## entries behind it: 0 to 50, by default five each. The value has [code]entries[/code] (empty if the
## player has no entry) and [code]total_entries[/code]; [code]season[/code] selects a past season.
func around(board_name: String, options: Dictionary = {}) -> OverworldResult:
	var query: String = _write_query(options, ["above", "below", "season"])
	var player_id: String = await _player.wait_for_id()
	var path: String = _path_of(board_name) + "/around/" + player_id.uri_encode() + query
	# The token lets players see their own score while it waits for a decision.
	return _take_body(await _transport.request(HTTPClient.METHOD_GET, path, "entries", "", {}, true, player_id))


## The entries of 1 to 100 named players, such as friends, with their ranks among all entries. The value
## has [code]players[/code], dictionaries of [code]player_id[/code] and [code]entry[/code]; players
## without an entry come last, with null. [code]season[/code] in [param options] selects a past season.
func players(board_name: String, player_ids: Array, options: Dictionary = {}) -> OverworldResult:
	var named: Dictionary = {"player_ids": player_ids}
	if options.has("season"):
		named["season"] = options["season"]
	var body: String = OverworldJson.write(named)
	if body == "":
		return OverworldResult.failure(OverworldError.make("invalid_argument", "player_ids must be texts"))
	return _take_body(await _transport.request(HTTPClient.METHOD_POST, _path_of(board_name) + "/players", "players", body))


func _submit(kept: OverworldKeptCall) -> OverworldResult:
	var headers: Dictionary = {"Idempotency-Key": kept.members["key"]}
	var body: String = kept.members["body"]
	var player_id: String = kept.members["player_id"]
	var path: String = "/v1/leaderboards"
	return _take_body(await _transport.request(HTTPClient.METHOD_POST, path, "rank", body, headers, true, player_id))


static func _path_of(board_name: String) -> String:
	return "/v1/leaderboards/" + board_name.uri_encode()


static func _write_query(options: Dictionary, names: Array) -> String:
	var query: PackedStringArray = PackedStringArray()
	for name: String in names:
		if options.has(name):
			query.append(name + "=" + str(options[name]))
	return "" if query.is_empty() else "?" + "&".join(query)


static func _take_body(result: OverworldResult) -> OverworldResult:
	return OverworldResult.success(result.value["body"]) if result.ok else result
