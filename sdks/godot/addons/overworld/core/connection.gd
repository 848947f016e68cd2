class_name OverworldConnection
extends RefCounted
## Internal. A connection to the server. It stays open for the next request, so that few requests wait
## for a new connection and its TLS handshake.

@warning_ignore_start("return_value_discarded")

## The server closes idle connections after 72 s, most proxies after 60 s.
const MAX_IDLE_MS: int = 50000

## True if a request is under way.
var is_busy: bool = false
var _frames: OverworldFrames
var _address: OverworldServerAddress
var _client: HTTPClient = HTTPClient.new()
var _used_at: int = 0


func _init(frames: OverworldFrames, address: OverworldServerAddress) -> void:
	_frames = frames
	_address = address


## Tells whether the next request needs no new connection.
func is_open() -> bool:
	# Only a poll notices that the server has closed the connection.
	_client.poll()
	return _client.get_status() == HTTPClient.STATUS_CONNECTED and Time.get_ticks_msec() - _used_at < MAX_IDLE_MS


## Sends a request. The value is the answer, a dictionary of [code]status[/code], [code]headers[/code]
## (with names in lower case) and [code]bytes[/code].
func exchange(
		method: HTTPClient.Method, path: String, lines: PackedStringArray, body: String, timeout_seconds: float
) -> OverworldResult:
	var deadline: int = Time.get_ticks_msec() + int(timeout_seconds * 1000.0)
	var problem: String = await _connect(deadline)
	if problem == "":
		problem = await _request(method, _address.prefix + path, lines, body, deadline)
	var status: int = 0
	var headers: Dictionary = {}
	var bytes: Variant = null
	if problem == "":
		status = _client.get_response_code()
		headers = _read_headers(_client.get_response_headers())
		bytes = await _read_body(status, deadline)
		if bytes == null:
			problem = "the answer is not complete"
	_used_at = Time.get_ticks_msec()
	var wish: String = headers.get("connection", "")
	if problem != "" or wish.to_lower() == "close":
		_client.close()
	if problem == "":
		return OverworldResult.success({"status": status, "headers": headers, "bytes": bytes})
	if _used_at >= deadline:
		return OverworldResult.failure(OverworldError.make("timeout", "No answer within %s s" % timeout_seconds))
	return OverworldResult.failure(OverworldError.make("network", "The server was not reached: " + problem))


## The problem; empty without one.
func _connect(deadline: int) -> String:
	if is_open():
		return ""
	var tls: TLSOptions = TLSOptions.client() if _address.is_tls else null
	if _client.connect_to_host(_address.host, _address.port, tls) != 0:
		return "no connection could be opened"
	await _poll_while([HTTPClient.STATUS_RESOLVING, HTTPClient.STATUS_CONNECTING], deadline)
	match _client.get_status():
		HTTPClient.STATUS_CONNECTED:
			return ""
		HTTPClient.STATUS_CANT_RESOLVE:
			return "there is no host " + _address.host
		HTTPClient.STATUS_TLS_HANDSHAKE_ERROR:
			return "the TLS handshake with " + _address.host + " failed"
	return "%s:%d accepts no connection" % [_address.host, _address.port]


func _request(method: HTTPClient.Method, path: String, lines: PackedStringArray, body: String, deadline: int) -> String:
	if _client.request(method, path, lines, body) != 0:
		return "the request could not be made"
	await _poll_while([HTTPClient.STATUS_REQUESTING], deadline)
	return "" if _client.has_response() else "the connection was closed without an answer"


## The bytes of the answer; null if the connection ends before they are complete.
func _read_body(status: int, deadline: int) -> Variant:
	var bytes: PackedByteArray = PackedByteArray()
	# Such an answer has no body, even if it has a Content-Length.
	if status == 204 or status == 304:
		if _client.get_status() == HTTPClient.STATUS_BODY:
			_client.close()
		return bytes
	var length: int = _client.get_response_body_length()
	# Browsers put the chunks together by themselves.
	var is_chunked: bool = _client.is_response_chunked() and not OS.has_feature("web")
	while _client.get_status() == HTTPClient.STATUS_BODY and _may_wait(deadline):
		var part: PackedByteArray = _client.read_response_body_chunk()
		bytes.append_array(part)
		if part.is_empty() and _client.get_status() == HTTPClient.STATUS_BODY:
			await _frames.next()
	if _client.get_status() == HTTPClient.STATUS_CONNECTED:
		return bytes
	# Without a length the end of the connection is the end of the answer.
	var is_complete: bool = length < 0 and not is_chunked
	if is_complete and _client.get_status() == HTTPClient.STATUS_DISCONNECTED:
		return bytes
	return null


func _poll_while(statuses: Array, deadline: int) -> void:
	_client.poll()
	while statuses.has(_client.get_status()) and _may_wait(deadline):
		await _frames.next()
		_client.poll()


func _may_wait(deadline: int) -> bool:
	return Time.get_ticks_msec() < deadline and not _frames.is_over


static func _read_headers(lines: PackedStringArray) -> Dictionary:
	var headers: Dictionary = {}
	for line: String in lines:
		var colon: int = line.find(":")
		if colon > 0:
			headers[line.left(colon).to_lower()] = line.substr(colon + 1).strip_edges()
	return headers
