class_name OverworldServerAddress
extends RefCounted
## Internal. The address of a server, such as [code]https://play.example.com[/code].

const PORTS: Dictionary = {"http://": 80, "https://": 443}

var is_tls: bool = false
## Empty if the text is no address.
var host: String = ""
var port: int = 0
## Path before the paths of the API; empty without one.
var prefix: String = ""


func _init(text: String) -> void:
	for scheme: String in PORTS:
		if text.begins_with(scheme):
			is_tls = scheme == "https://"
			port = PORTS[scheme]
			_read_rest(text.trim_prefix(scheme))


func _read_rest(text: String) -> void:
	var slash: int = text.find("/")
	var authority: String = text if slash < 0 else text.left(slash)
	prefix = "" if slash < 0 else text.substr(slash).rstrip("/")
	var parts: PackedStringArray = authority.split(":")
	if parts.size() == 2:
		port = parts[1].to_int()
	if parts.size() <= 2 and port > 0:
		host = parts[0]
