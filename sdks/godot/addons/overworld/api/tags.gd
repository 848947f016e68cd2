class_name OverworldTags
extends RefCounted
## Tags of the player, for segments and for rules of the config.

var _transport: OverworldTransport
var _player: OverworldPlayer
# Keeps a repeated call from undoing a later one.
var _turns: OverworldTurns


func _init(transport: OverworldTransport, player: OverworldPlayer, turns: OverworldTurns) -> void:
	_transport = transport
	_player = player
	_turns = turns


## Adds a tag; the server trims it and writes it in lower case. The value is all tags of the player.
func add(tag: String) -> OverworldResult:
	var player_id: String = await _player.wait_for_id()
	var body: String = OverworldJson.write({"tag": tag})
	await _turns.take()
	var path: String = _path_of(player_id)
	var result: OverworldResult = await _transport.request(HTTPClient.METHOD_POST, path, "tags", body, {}, true, player_id)
	_turns.end()
	if not result.ok:
		return result
	var answer: Dictionary = result.value["body"]
	return OverworldResult.success(answer.get("tags", []))


## Removes a tag; it is no error if the player does not have it.
func remove(tag: String) -> OverworldResult:
	var player_id: String = await _player.wait_for_id()
	var path: String = _path_of(player_id) + "/" + tag.uri_encode()
	await _turns.take()
	var result: OverworldResult = await _transport.request(HTTPClient.METHOD_DELETE, path, "", "", {}, true, player_id)
	_turns.end()
	if not result.ok and result.error.body.get("error") != "Tag not found":
		return result
	return OverworldResult.success(null)


static func _path_of(player_id: String) -> String:
	return "/v1/players/" + player_id.uri_encode() + "/tags"
