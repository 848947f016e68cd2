extends RefCounted
## Leaderboards: each player has one entry on a board, the best score.

const Player := preload("res://addons/overworld/core/player.gd")
const Transport := preload("res://addons/overworld/core/transport.gd")

var _transport: Transport
var _player: Player


func _init(transport: Transport, player: Player) -> void:
	_transport = transport
	_player = player


## Submits a score of the player, an int or a float. A score that is not better changes nothing.
## [param options] may have [code]player_name[/code] and [code]metadata[/code] (a dictionary, 8 KB at
## most). The value is the stored entry: [code]rank[/code], [code]score[/code], [code]updated[/code]…
func submit(board_name: String, score: Variant, options := {}) -> OverworldResult:
	var entry := {"board_name": board_name, "player_id": _player.id, "score": score}
	for name: String in ["player_name", "metadata"]:
		if options.has(name):
			entry[name] = options[name]
	var body := OverworldJson.write(entry)
	if body == "":
		return OverworldResult.failure(OverworldError.make("invalid_argument", "metadata has no form in JSON"))
	var result := await _transport.request(HTTPClient.METHOD_POST, "/v1/leaderboards", body)
	return OverworldResult.success(result.value["body"]) if result.ok else result


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
	var query := PackedStringArray(["limit=1", "player_id=" + _player.id.uri_encode()])
	if options.has("season"):
		query.append("season=" + str(options["season"]))
	return await _get_board(board_name, query)


func _get_board(board_name: String, query: PackedStringArray) -> OverworldResult:
	var path := "/v1/leaderboards/" + board_name.uri_encode()
	if not query.is_empty():
		path += "?" + "&".join(query)
	var result := await _transport.request(HTTPClient.METHOD_GET, path)
	return OverworldResult.success(result.value["body"]) if result.ok else result
