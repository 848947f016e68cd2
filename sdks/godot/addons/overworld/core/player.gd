extends RefCounted
## Who plays.

const Ids := preload("res://addons/overworld/core/ids.gd")
const Storage := preload("res://addons/overworld/core/storage.gd")

const FILE := "player"

var id: String


## [param given] is kept for this start alone; when it is empty, an anonymous id is made once and kept.
func _init(storage: Storage, given: String) -> void:
	id = given if given != "" else storage.read(FILE)
	if id == "":
		id = Ids.make()
		storage.write(FILE, id)
