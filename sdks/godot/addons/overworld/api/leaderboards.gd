extends RefCounted
## Leaderboards: each player has one entry on a board, the best score.

const KeptCall := preload("res://addons/overworld/core/kept_call.gd")
const KeptCalls := preload("res://addons/overworld/core/kept_calls.gd")
const Player := preload("res://addons/overworld/core/player.gd")
const Transport := preload("res://addons/overworld/core/transport.gd")

var _transport: Transport
var _player: Player
var _kept: KeptCalls


func _init(transport: Transport, player: Player, kept: KeptCalls) -> void:
	_transport = transport
	_player = player
	_kept = kept
	kept.serve(KeptCalls.SCORES, _submit)


## Submits a score of the player, an int or a float. A score that is not better changes nothing.
## [param options] may have [code]player_name[/code] and [code]metadata[/code] (a dictionary, 8 KB at
## most). Without a network the error has [code]is_kept[/code], and the score is sent later.
## The value is the stored entry: [code]rank[/code], [code]score[/code], [code]updated[/code]…
func submit(board_name: String, score: Variant, options := {}) -> OverworldResult:
	var given: Dictionary = options.duplicate(true)
	var player_id: String = await _player.settle()
	var members := {"kind": KeptCalls.SCORES, "player_id": player_id, "target": board_name, "score": score}
	for name: String in ["player_name", "metadata"]:
		if given.has(name):
			members[name] = given[name]
	return await _kept.make(members)


## A page of a board: the first 50 entries, or those of [code]limit[/code] (1 to 100) and
## [code]offset[/code] in [param options]; [code]season[/code] selects a past season. The value has
## [code]entries[/code] and [code]total_entries[/code].
func page(board_name: String, options := {}) -> OverworldResult:
	var query := PackedStringArray()
	for name: String in ["limit", "offset", "season"]:
		if options.has(name):
			query.append(name + "=" + str(options[name]))
	return await _get_board(board_name, query)


## The player's entry and up to five to each side; [code]season[/code] selects a past season. The
## value has [code]player[/code] (null without an entry) and [code]around[/code].
func around_me(board_name: String, options := {}) -> OverworldResult:
	var player_id: String = await _player.settle()
	var query := PackedStringArray(["limit=1", "player_id=" + player_id.uri_encode()])
	if options.has("season"):
		query.append("season=" + str(options["season"]))
	return await _get_board(board_name, query)


func _get_board(board_name: String, query: PackedStringArray) -> OverworldResult:
	var path := "/v1/leaderboards/" + board_name.uri_encode()
	if not query.is_empty():
		path += "?" + "&".join(query)
	var result := await _transport.request(HTTPClient.METHOD_GET, path)
	return OverworldResult.success(result.value["body"]) if result.ok else result


func _submit(kept: KeptCall) -> OverworldResult:
	var entry := {"board_name": kept.members["target"]}
	for name: String in ["player_id", "score", "player_name", "metadata"]:
		if kept.members.has(name):
			entry[name] = kept.members[name]
	var body := OverworldJson.write(entry)
	var player_id: String = kept.members["player_id"]
	var result := await _transport.request(HTTPClient.METHOD_POST, "/v1/leaderboards", body, {}, true, player_id)
	return OverworldResult.success(result.value["body"]) if result.ok else result
