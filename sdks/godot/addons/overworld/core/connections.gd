class_name OverworldConnections
extends RefCounted
## Internal. The connections to the server. Each request has a connection to itself.

signal _freed

## Further requests wait for their turn.
const MAX_CONNECTIONS: int = 4

var _frames: OverworldFrames
var _address: OverworldServerAddress
var _timeout_seconds: float
var _all: Array[OverworldConnection] = []


func _init(frames: OverworldFrames, address: OverworldServerAddress, timeout_seconds: float) -> void:
	_frames = frames
	_address = address
	_timeout_seconds = timeout_seconds


## Sends a request as [method OverworldConnection.exchange] does. The time limit begins when it has its
## connection, and is at least [param least_seconds].
func exchange(
		method: HTTPClient.Method, path: String, lines: PackedStringArray, body: String, least_seconds: float
) -> OverworldResult:
	var connection: OverworldConnection = _find_free()
	while connection == null:
		await _freed
		connection = _find_free()
	connection.is_busy = true
	var result: OverworldResult = await connection.exchange(method, path, lines, body, maxf(_timeout_seconds, least_seconds))
	connection.is_busy = false
	_freed.emit()
	return result


func _find_free() -> OverworldConnection:
	var found: OverworldConnection = null
	for connection: OverworldConnection in _all:
		if not connection.is_busy and (found == null or connection.is_open()):
			found = connection
	if found == null and _all.size() < MAX_CONNECTIONS:
		found = OverworldConnection.new(_frames, _address)
		_all.append(found)
	return found
