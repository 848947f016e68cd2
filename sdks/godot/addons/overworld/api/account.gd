class_name OverworldAccount
extends RefCounted
## The login of the player. The anonymous player logs in by itself, with a secret of this device.

const LINK_PATH: String = "/v1/players/link"

var _transport: OverworldTransport
var _player: OverworldPlayer
var _logins: OverworldLogins
var _erase: Callable


## [param erase] runs a function that erases a player, while nothing else is sent of the player, and then drops what
## waits of the player.
func _init(transport: OverworldTransport, player: OverworldPlayer, logins: OverworldLogins, erase: Callable) -> void:
	_transport = transport
	_player = player
	_logins = logins
	_erase = erase


## Tells whether calls carry a token of the present player.
func is_logged_in() -> bool:
	return _logins.is_logged_in() and _player.get_id() == _logins.get_player_id()


## The providers with which the player can log in, as far as it is known.
func get_providers() -> Array:
	return _logins.get_providers()


## Logs in as the player of a provider: [code]custom[/code] ([code]token[/code]), [code]steam[/code]
## ([code]ticket[/code]), or an OpenID Connect issuer of the game ([code]id_token[/code],
## [code]nonce[/code]). The player stays logged in over restarts. To keep the present player instead,
## [method link] the provider. Each token and ticket works once. The issuer gets the SHA-256 of the nonce, in
## hexadecimal digits or base64url; here the nonce is plain. The value has [code]player_id[/code],
## [code]created[/code] and [code]providers[/code].
func login_with(provider: String, credentials: Dictionary) -> OverworldResult:
	var body: Dictionary = credentials.duplicate()
	body["provider"] = provider
	await _player.wait_for_id()
	return _take(await _logins.enter("login", body, false))


## Ends the session; the anonymous player of this device plays on.
func logout() -> OverworldResult:
	_player.given = ""
	return await _logins.leave()


## Adds a provider to the present player. The value is all providers of the player. The error
## [code]conflict[/code] means that the login belongs to another player: [method login_with] plays as
## that player.
func link(provider: String, credentials: Dictionary) -> OverworldResult:
	var body: Dictionary = credentials.duplicate()
	body["provider"] = provider
	var json: String = OverworldJson.write(body)
	var player_id: String = await _player.wait_for_id()
	return _logins.note(await _transport.request(HTTPClient.METHOD_POST, LINK_PATH, "providers", json, {}, true, player_id))


## Removes a provider from the present player; the last one cannot be removed. The value is the others.
func unlink(provider: String) -> OverworldResult:
	var path: String = LINK_PATH + "?provider=" + provider.uri_encode()
	var player_id: String = await _player.wait_for_id()
	return _logins.note(await _transport.request(HTTPClient.METHOD_DELETE, path, "providers", "", {}, true, player_id))


## The value is a code of twelve letters and digits, such as K7PM-2XQD-9RTA. With it another device can
## join this player within ten minutes.
func create_move_code() -> OverworldResult:
	var player_id: String = await _player.wait_for_id()
	var path: String = "/v1/players/move-code"
	var result: OverworldResult = await _transport.request(HTTPClient.METHOD_POST, path, "code", "{}", {}, false, player_id)
	return OverworldResult.success(result.value["body"]["code"]) if result.ok else result


## Joins this device to the player who made the code. The anonymous player of this device is given up.
## The player may type the code in upper or lower case, with or without dashes and spaces.
## The error [code]not_found[/code] means that the code is wrong or has expired.
func move_here(code: String) -> OverworldResult:
	await _player.wait_for_id()
	return _take(await _logins.move(code))


## The value is the player token of the present player, for a server of yours that must know who this client
## is. It is valid for up to an hour. That server verifies it with a server key. The error
## [code]unauthorized[/code] means that the player has not logged in.
func get_player_token() -> OverworldResult:
	var refusal: OverworldResult = _transport.find_refusal()
	if refusal != null:
		return refusal
	var token: String = await _logins.token_of(await _player.wait_for_id())
	if token == "":
		return OverworldResult.failure(OverworldError.make("unauthorized", "The player has not logged in"))
	return OverworldResult.success(token)


## The value is all data of the present player. Needs a login of the last five minutes, like
## [method erase_player].
func export_data() -> OverworldResult:
	var result: OverworldResult = await _call_anew(HTTPClient.METHOD_GET, "export", "player")
	return OverworldResult.success(result.value["body"]) if result.ok else result


## Erases the present player with all data, on the server and on this device; the game goes on as a new
## anonymous player. This cannot be undone. The anonymous player of this device is logged in again by itself.
## A player of a provider must have called [method login_with] in the last five minutes: otherwise the error is
## [code]forbidden[/code], and nothing is erased. So it is with a login that was added to the player less than
## 24 hours ago. Calls that are made meanwhile fail with [code]not_found[/code].
func erase_player() -> OverworldResult:
	var refusal: OverworldResult = _transport.find_refusal()
	if refusal != null:
		return refusal
	var player_id: String = await _player.wait_for_id()
	return await _erase.call(player_id, _erase_now.bind(player_id))


func _erase_now(player_id: String) -> OverworldResult:
	var result: OverworldResult = await _call_anew(HTTPClient.METHOD_POST, "erase", "")
	# After a lost answer, the repeated call finds no player any more.
	if not result.ok and result.error.body.get("error") != "Player not found":
		return result
	_player.given = ""
	_logins.forget(player_id)
	return OverworldResult.success(null)


## Makes a call that needs a new login.
func _call_anew(method: int, name: String, gives: String) -> OverworldResult:
	var refusal: OverworldResult = _transport.find_refusal()
	if refusal != null:
		return refusal
	var player_id: String = await _player.wait_for_id()
	var login: OverworldResult = await _logins.enter_again()
	if not login.ok:
		return login
	var path: String = "/v1/players/%s/%s" % [player_id.uri_encode(), name]
	return await _transport.request(method, path, gives, "", {}, true, player_id, true)


func _take(result: OverworldResult) -> OverworldResult:
	if result.ok:
		_player.given = ""
	return result
