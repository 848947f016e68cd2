class_name OverworldMessages
extends RefCounted
## Messages of the studio to the player.

const FILE: String = "messages"
const PATH: String = "/v1/messages"

var _transport: OverworldTransport
var _player: OverworldPlayer
var _storage: OverworldStorage
# Tells the game about unread messages that no earlier list had.
var _tell: Callable
# The last list of the server: player_id, etag, messages, unread_count. Empty before the first one.
var _known: Dictionary = {}
var _locale: String = ""


func _init(transport: OverworldTransport, player: OverworldPlayer, storage: OverworldStorage, tell: Callable) -> void:
	_transport = transport
	_player = player
	_storage = storage
	_tell = tell


## Reads the list of an earlier start.
func open() -> void:
	_known = OverworldJson.read_object(_storage.read(FILE))


## The newest 200 messages of the player: [code]messages[/code], [code]unread_count[/code] and
## [code]is_stale[/code]. Texts are in the language [param locale], such as [code]OS.get_locale()[/code], if the
## message has them in it; without it in that of the list before. While nothing has changed, the server's answer
## has no body. If the server is not reached, it gives the last list, even that of an earlier start.
func list(locale: String = "") -> OverworldResult:
	var player_id: String = await _player.wait_for_id()
	_locale = locale if locale != "" else _locale
	var last: Dictionary = _find_known(player_id)
	var etag: String = last.get("etag", "")
	var headers: Dictionary = {"If-None-Match": etag} if etag != "" else {}
	var path: String = PATH + "?player_id=" + player_id.uri_encode() + OverworldLocale.write(_locale) + "&limit=200"
	var result: OverworldResult = await _transport.request(HTTPClient.METHOD_GET, path, "messages", "", headers, true, player_id)
	if not result.ok:
		return result if last.is_empty() else _describe(last, true)
	if result.value["status"] != 304:
		var answer: Dictionary = result.value["body"]
		last = {
			"player_id": player_id,
			"etag": result.value["etag"],
			"messages": answer.get("messages", []),
			"unread_count": answer.get("unread_count", 0),
		}
	# Otherwise the player has changed in the meantime.
	if player_id == _player.get_id():
		_keep(last)
	return _describe(last, false)


## Marks a message as read.
func read(message_id: String) -> OverworldResult:
	return _drop_value(await _act(message_id, "/read", "read_at"))


## Claims the rewards of a message, once. The server changes statistics and unlocks achievements; the game gives
## items. The value has [code]rewards[/code] and [code]already_claimed[/code]. The rewards are in the answer, so
## without a network a claim fails and is not kept: let the player claim again. It may have been stored although
## its answer was lost, and a claim that is made again has the same rewards. So keep the ids of the messages whose
## items the player has, and give the items of all others.
func claim(message_id: String) -> OverworldResult:
	return await _act(message_id, "/claim", "claimed_at")


## Deletes a message of the player. The error [code]not_found[/code] means that the player has no such message.
func delete(message_id: String) -> OverworldResult:
	return _drop_value(await _act(message_id, "", ""))


func _act(message_id: String, action: String, gives: String) -> OverworldResult:
	var player_id: String = await _player.wait_for_id()
	var path: String = PATH + "/" + message_id.uri_encode() + action
	var method: HTTPClient.Method = HTTPClient.METHOD_POST
	var body: String = OverworldJson.write({"player_id": player_id})
	if gives == "":
		method = HTTPClient.METHOD_DELETE
		path += "?player_id=" + player_id.uri_encode()
		body = ""
	var result: OverworldResult = await _transport.request(method, path, gives, body, {}, true, player_id)
	return OverworldResult.success(result.value["body"]) if result.ok else result


func _keep(next: Dictionary) -> void:
	var player_id: String = next["player_id"]
	var last: Dictionary = _find_known(player_id)
	if next == last:
		return
	var old: Dictionary = {}
	for message: Dictionary in last.get("messages", []):
		old[message["id"]] = true
	var fresh: Array = []
	for message: Dictionary in next["messages"]:
		if not message["read"] and not old.has(message["id"]):
			fresh.append(message)
	_known = next
	@warning_ignore("return_value_discarded")
	_storage.write(FILE, OverworldJson.write(_known))
	if not fresh.is_empty():
		_tell.call(fresh)


func _find_known(player_id: String) -> Dictionary:
	return _known if _known.get("player_id") == player_id else {}


static func _drop_value(result: OverworldResult) -> OverworldResult:
	return OverworldResult.success(null) if result.ok else result


static func _describe(known: Dictionary, is_stale: bool) -> OverworldResult:
	return OverworldResult.success({
		"messages": known["messages"],
		"unread_count": known["unread_count"],
		"is_stale": is_stale,
	})
