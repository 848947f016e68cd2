class_name OverworldAchievements
extends RefCounted
## Achievements. The dashboard defines them.

var _transport: OverworldTransport
var _player: OverworldPlayer
var _kept: OverworldKeptCalls


func _init(transport: OverworldTransport, player: OverworldPlayer, kept: OverworldKeptCalls) -> void:
	_transport = transport
	_player = player
	_kept = kept
	kept.serve(OverworldKeptCalls.UNLOCKS, _unlock)


## Unlocks an achievement for the player; unlocking it again changes nothing. The value has
## [code]achievement[/code], [code]already_unlocked[/code] and [code]total_points[/code]. Without a
## network the error has [code]is_kept[/code], and the unlock is sent later. The name and the description are in
## the language [param locale], as in [method list].
func unlock(achievement_key: String, locale: String = "") -> OverworldResult:
	var player_id: String = await _player.wait_for_id()
	var members: Dictionary = {"kind": OverworldKeptCalls.UNLOCKS, "player_id": player_id, "target": achievement_key}
	return await _kept.make(members, {"locale": locale})


## All achievements, and the unlocks of the player. The value has [code]achievements[/code],
## [code]total_points[/code] and [code]unlocked_points[/code]. An achievement that unlocks by statistics has
## [code]progress[/code], a dictionary of [code]current[/code] and [code]target[/code] (37 of 100); it is null for
## others, and while it is hidden and locked. Names and descriptions are in the language [param locale], such as
## [code]OS.get_locale()[/code], if the dashboard has them in it.
func list(locale: String = "") -> OverworldResult:
	var player_id: String = await _player.wait_for_id()
	var path: String = "/v1/achievements?player_id=" + player_id.uri_encode() + OverworldLocale.write(locale)
	var result: OverworldResult = await _transport.request(HTTPClient.METHOD_GET, path, "achievements", "", {}, true, player_id)
	return OverworldResult.success(result.value["body"]) if result.ok else result


func _unlock(kept: OverworldKeptCall) -> OverworldResult:
	var player_id: String = kept.members["player_id"]
	var body: String = OverworldJson.write({"achievement_key": kept.members["target"], "player_id": player_id})
	var locale: String = kept.given.get("locale", "")
	var path: String = "/v1/achievements/unlock" + OverworldLocale.write(locale).replace("&", "?")
	var result: OverworldResult = await _transport.request(HTTPClient.METHOD_POST, path, "achievement", body, {}, true, player_id)
	return OverworldResult.success(result.value["body"]) if result.ok else result
