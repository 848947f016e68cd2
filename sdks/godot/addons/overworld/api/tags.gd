extends RefCounted
## Tags of the player, which segments and config rules go by.

const Player := preload("res://addons/overworld/core/player.gd")
const Transport := preload("res://addons/overworld/core/transport.gd")

var _transport: Transport
var _player: Player


func _init(transport: Transport, player: Player) -> void:
	_transport = transport
	_player = player


## Adds a tag; the server trims it and writes it in lower case. The value is all tags of the player.
func add(tag: String) -> OverworldResult:
	var body := OverworldJson.write({"tag": tag})
	var result := await _transport.request(HTTPClient.METHOD_POST, _path(), body)
	return OverworldResult.success(result.value["body"].get("tags", [])) if result.ok else result


## Removes a tag; one that the player does not have is no error.
func remove(tag: String) -> OverworldResult:
	var result := await _transport.request(HTTPClient.METHOD_DELETE, _path() + "/" + tag.uri_encode())
	if not result.ok and result.error.body.get("error") != "Tag not found":
		return result
	return OverworldResult.success(null)


func _path() -> String:
	return "/v1/players/" + _player.id.uri_encode() + "/tags"
