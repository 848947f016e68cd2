class_name OverworldStats
extends RefCounted
## Statistics: numbers of the player, which the dashboard defines.

const PATH: String = "/v1/stats"

var _transport: OverworldTransport
var _player: OverworldPlayer
var _kept: OverworldKeptCalls


func _init(transport: OverworldTransport, player: OverworldPlayer, kept: OverworldKeptCalls) -> void:
	_transport = transport
	_player = player
	_kept = kept
	kept.serve(OverworldKeptCalls.STATS, _change)


## Changes 1 to 100 statistics of the player, all or none: [param changes] has ints or floats by key. Each is
## added to a [code]sum[/code], or is a value that the player has reached. The value has the new values by
## their keys. A value that would leave its bounds is the error [code]bad_request[/code], with
## [code]STAT_OUT_OF_BOUNDS[/code] as [code]code[/code] in its body. Without a network the error has
## [code]is_kept[/code], and the changes are sent later. They are made once.
func change(changes: Dictionary) -> OverworldResult:
	var listed: Array = []
	for key: Variant in changes:
		listed.append({"key": key, "value": changes[key]})
	var json: String = OverworldJson.write(listed)
	if json == "":
		return OverworldResult.failure(OverworldError.make("invalid_argument", "changes have no form in JSON"))
	var player_id: String = await _player.wait_for_id()
	return await _kept.make({
		"kind": OverworldKeptCalls.STATS,
		"player_id": player_id,
		"target": OverworldIds.make(),
		"body": "{\"player_id\":%s,\"changes\":%s}" % [OverworldJson.write(player_id), json],
	})


## All statistics of the game, dictionaries of [code]key[/code], [code]name[/code], [code]aggregation[/code],
## [code]value[/code] (null before the first change) and [code]updated_at[/code].
func list() -> OverworldResult:
	var player_id: String = await _player.wait_for_id()
	var path: String = PATH + "?player_id=" + player_id.uri_encode()
	var result: OverworldResult = await _transport.request(HTTPClient.METHOD_GET, path, "stats", "", {}, true, player_id)
	return OverworldResult.success(result.value["body"]["stats"]) if result.ok else result


func _change(kept: OverworldKeptCall) -> OverworldResult:
	var headers: Dictionary = {"Idempotency-Key": kept.members["target"]}
	var body: String = kept.members["body"]
	var player_id: String = kept.members["player_id"]
	var result: OverworldResult = await _transport.request(HTTPClient.METHOD_POST, PATH, "stats", body, headers, true, player_id)
	if not result.ok:
		return result
	var values: Dictionary = {}
	for stat: Dictionary in result.value["body"]["stats"]:
		values[stat["key"]] = stat["value"]
	return OverworldResult.success(values)
