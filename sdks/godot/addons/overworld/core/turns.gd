extends RefCounted
## Lets calls be made one after another, in the order they were asked for.

signal _ended

var _is_taken := false


## Waits until the calls before have ended; [method end] is called after it.
func take() -> void:
	while _is_taken:
		await _ended
	_is_taken = true


func end() -> void:
	_is_taken = false
	_ended.emit()
