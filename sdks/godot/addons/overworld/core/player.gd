class_name OverworldPlayer
extends RefCounted
## Internal. The present player.

## The id that the game has given; empty without one.
var given: String
var _logins: OverworldLogins


func _init(given_id: String, logins: OverworldLogins) -> void:
	given = given_id
	_logins = logins


func get_id() -> String:
	return given if given != "" else _logins.get_player_id()


## Id of the player at the time of the call. The anonymous player logs in first.
func wait_for_id() -> String:
	if given != "":
		return given
	await _logins.log_in_by_device()
	_logins.look()
	return _logins.get_player_id()
