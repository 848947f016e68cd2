class_name OverworldLocale
extends RefCounted
## Internal. The language of texts, as requests name it.


## The part of a query for a locale; empty without one. Godot writes pt_BR, and de_DE@euro, where the server has
## BCP 47 tags.
static func write(locale: String) -> String:
	if locale == "":
		return ""
	return "&locale=" + locale.get_slice("@", 0).replace("_", "-").uri_encode()
