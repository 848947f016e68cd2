extends RefCounted
## The present player.

const Ids := preload("res://addons/overworld/core/ids.gd")
const Storage := preload("res://addons/overworld/core/storage.gd")

const FILE := "player"

var id: String


## [param given] is for this start only. If it is empty, an anonymous id is made once and kept.
func _init(storage: Storage, given: String) -> void:
	id = given if given != "" else storage.read(FILE)
	if id == "":
		id = Ids.make()
		storage.write(FILE, id)
