@tool
extends EditorPlugin

const AUTOLOAD: String = "Overworld"


func _enable_plugin() -> void:
	add_autoload_singleton(AUTOLOAD, "res://addons/overworld/overworld.gd")


func _disable_plugin() -> void:
	remove_autoload_singleton(AUTOLOAD)
