extends RefCounted
## Tags of the player, for segments and for rules of the config.

const Player := preload("res://addons/overworld/core/player.gd")
const Transport := preload("res://addons/overworld/core/transport.gd")
const Turns := preload("res://addons/overworld/core/turns.gd")

var _transport: Transport
var _player: Player
# Keeps a repeated call from undoing a later one.
var _turns: Turns


func _init(transport: Transport, player: Player, turns: Turns) -> void:
	_transport = transport
	_player = player
	_turns = turns


## Adds a tag; the server trims it and writes it in lower case. The value is all tags of the player.
func add(tag: String) -> OverworldResult:
	var path := _path()
	var body := OverworldJson.write({"tag": tag})
	await _turns.take()
	var result := await _transport.request(HTTPClient.METHOD_POST, path, body)
	_turns.end()
	return OverworldResult.success(result.value["body"].get("tags", [])) if result.ok else result


## Removes a tag; it is no error if the player does not have it.
func remove(tag: String) -> OverworldResult:
	var path := _path() + "/" + tag.uri_encode()
	await _turns.take()
	var result := await _transport.request(HTTPClient.METHOD_DELETE, path)
	_turns.end()
	if not result.ok and result.error.body.get("error") != "Tag not found":
		return result
	return OverworldResult.success(null)


func _path() -> String:
	return "/v1/players/" + _player.id.uri_encode() + "/tags"
