extends RefCounted
## Achievements. The dashboard defines them.

const Player := preload("res://addons/overworld/core/player.gd")
const Transport := preload("res://addons/overworld/core/transport.gd")

var _transport: Transport
var _player: Player


func _init(transport: Transport, player: Player) -> void:
	_transport = transport
	_player = player


## Unlocks an achievement for the player; unlocking it again changes nothing. The value has
## [code]achievement[/code], [code]already_unlocked[/code] and [code]total_points[/code].
func unlock(achievement_key: String) -> OverworldResult:
	var body := OverworldJson.write({"achievement_key": achievement_key, "player_id": _player.id})
	var result := await _transport.request(HTTPClient.METHOD_POST, "/v1/achievements/unlock", body)
	return OverworldResult.success(result.value["body"]) if result.ok else result


## All achievements, and the unlocks of the player. The value has [code]achievements[/code],
## [code]total_points[/code] and [code]unlocked_points[/code].
func list() -> OverworldResult:
	var path := "/v1/achievements?player_id=" + _player.id.uri_encode()
	var result := await _transport.request(HTTPClient.METHOD_GET, path)
	return OverworldResult.success(result.value["body"]) if result.ok else result
