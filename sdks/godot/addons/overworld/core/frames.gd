class_name OverworldFrames
extends RefCounted
## Internal. Waits for frames until the game ends. Godot never frees a function that waits at the end.

signal _passed

## True when the game ends. Then nothing waits any more.
var is_over: bool = false


func _init(tree: SceneTree) -> void:
	@warning_ignore("return_value_discarded")
	tree.process_frame.connect(_pass)


## Waits for the next frame.
func next() -> void:
	if not is_over:
		await _passed


## Waits for some seconds of real time, also in a paused game.
func wait(seconds: float) -> void:
	var end_at: int = Time.get_ticks_usec() + int(seconds * 1000000.0)
	while not is_over and Time.get_ticks_usec() < end_at:
		await _passed


## Ends all waits.
func end() -> void:
	is_over = true
	_passed.emit()


func _pass() -> void:
	_passed.emit()
