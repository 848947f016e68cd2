class_name OverworldTurns
extends RefCounted
## Internal. Runs calls one after another, in their order.

signal _ended

var _is_taken: bool = false


## Waits until the earlier calls have ended. Call [method end] afterwards.
func take() -> void:
	while _is_taken:
		await _ended
	_is_taken = true


func end() -> void:
	_is_taken = false
	_ended.emit()
