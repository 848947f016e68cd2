extends RefCounted
## The connections to the server. Each request has a connection to itself.

signal _freed

const Connection := preload("res://addons/overworld/core/connection.gd")
const ServerAddress := preload("res://addons/overworld/core/server_address.gd")

## Further requests wait for their turn.
const MAX_CONNECTIONS := 4

var _node: Node
var _address: ServerAddress
var _timeout_seconds: float
var _all: Array[Connection] = []


func _init(node: Node, address: ServerAddress, timeout_seconds: float) -> void:
	_node = node
	_address = address
	_timeout_seconds = timeout_seconds


## Sends a request as [method Connection.exchange] does. The time limit begins when it has its connection.
func exchange(method: HTTPClient.Method, path: String, lines: PackedStringArray, body: String) -> OverworldResult:
	var connection := _find_free()
	while connection == null:
		await _freed
		connection = _find_free()
	connection.is_busy = true
	var result: OverworldResult = await connection.exchange(method, path, lines, body, _timeout_seconds)
	connection.is_busy = false
	_freed.emit()
	return result


func _find_free() -> Connection:
	var found: Connection = null
	for connection in _all:
		if not connection.is_busy and (found == null or connection.is_open()):
			found = connection
	if found == null and _all.size() < MAX_CONNECTIONS:
		found = Connection.new(_node, _address)
		_all.append(found)
	return found
