extends Node
## Plays a game for a test: connects to the test, reads calls as lines of JSON, [code]{"id", "call",
## "args"}[/code], makes them, and writes each outcome, [code]{"id", "result"}[/code] or [code]{"id",
## "error"}[/code].

var _socket := StreamPeerTCP.new()
var _received := PackedByteArray()
var _calls: DriverCalls


func _ready() -> void:
	process_mode = Node.PROCESS_MODE_ALWAYS
	var console := DriverConsole.new()
	OS.add_logger(console)
	_calls = DriverCalls.new(get_tree(), console)
	_socket.connect_to_host("127.0.0.1", OS.get_cmdline_user_args()[0].to_int())
	while _socket.get_status() == StreamPeerTCP.STATUS_CONNECTING:
		_socket.poll()
	# Without this, an answer may wait 40 ms for the next one.
	_socket.set_no_delay(true)


func _process(_delta: float) -> void:
	_socket.poll()
	if _socket.get_status() != StreamPeerTCP.STATUS_CONNECTED:
		get_tree().quit()
		return
	if _socket.get_available_bytes() > 0:
		_received.append_array(_socket.get_partial_data(_socket.get_available_bytes())[1])
	var end := _received.find(10)
	while end >= 0:
		_answer(_received.slice(0, end).get_string_from_utf8())
		_received = _received.slice(end + 1)
		end = _received.find(10)


func _answer(line: String) -> void:
	var request: Dictionary = DriverCalls.make_whole(JSON.parse_string(line))
	var outcome: Variant = await _calls.make(request["call"], request["args"])
	var is_failure := outcome is OverworldResult
	var answer := {"id": request["id"]}
	if is_failure:
		answer["error"] = DriverCalls.describe_error(outcome.error)
		answer["error"]["is_kept"] = outcome.error.is_kept
	else:
		answer["result"] = outcome
	_socket.put_data((JSON.stringify(answer, "", false, true) + "\n").to_utf8_buffer())
