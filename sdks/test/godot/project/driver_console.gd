class_name DriverConsole
extends Logger
## Keeps the errors and warnings that the engine and the scripts have said.

var _said := PackedStringArray()
var _mutex := Mutex.new()


func get_said() -> PackedStringArray:
	_mutex.lock()
	var copy := _said.duplicate()
	_mutex.unlock()
	return copy


func _log_error(
		_function: String, _file: String, _line: int, code: String, rationale: String, _editor_notify: bool,
		_error_type: int, _backtraces: Array[ScriptBacktrace]
) -> void:
	# Any thread may say something.
	_mutex.lock()
	_said.append(code if rationale == "" else rationale)
	_mutex.unlock()
