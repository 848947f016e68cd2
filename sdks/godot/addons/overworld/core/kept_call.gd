class_name OverworldKeptCall
extends RefCounted
## Internal. A call that is kept until the server has answered it.

## Name in the storage; empty before the call is stored.
var name: String = ""
## The stored members of a call: [code]kind[/code], [code]player_id[/code], [code]target[/code] (the board,
## achievement or slot, or the idempotency key of changes of statistics), and more by its kind.
var members: Dictionary
## True if the storage has it.
var is_stored: bool = false
## True if a caller waits for the outcome.
var is_awaited: bool = false
## True if the game has made it since its start, or has loaded it.
var is_seen: bool = false
## Arguments that cannot be stored; empty after a restart.
var given: Dictionary = {}
## The outcome; null before there is one.
var result: OverworldResult


func _init(stored: Dictionary) -> void:
	members = stored


func is_like(kind: String, player_id: String, target: String) -> bool:
	return members["kind"] == kind and members["player_id"] == player_id and members["target"] == target


## The same for all calls about the same board, achievement or slot of a player.
func get_key() -> String:
	return members["player_id"] + " " + members["target"]


func get_score() -> float:
	var score: float = members.get("score", 0.0)
	return score
