class_name OverworldConflicts
extends RefCounted
## Internal. The data to save when the server has a version that this client does not know.


## [param saved_at] is the time of the call, in milliseconds by the server's clock.
static func resolve(policy: Variant, conflict: Dictionary, saved_at: int) -> Variant:
	if policy is Callable:
		return await policy.call(conflict)
	match policy:
		"ours":
			return conflict["ours"]
		"theirs":
			return conflict["theirs"]
		"newest":
			var is_theirs_newer: bool = OverworldMoment.read(conflict["updated_at"]) > saved_at
			return conflict["theirs"] if is_theirs_newer else conflict["ours"]
		"per-field":
			if conflict["base"] == null:
				return add_fields(conflict["ours"], conflict["theirs"])
			return merge_fields(conflict["base"], conflict["ours"], conflict["theirs"])
	push_error("Overworld: no such on_conflict: %s" % policy)
	return null


## Theirs, with the top-level fields of ours that changed since the base. If a field changed in
## both, ours wins.
static func merge_fields(base: Dictionary, ours: Dictionary, theirs: Dictionary) -> Dictionary:
	var merged: Dictionary = theirs.duplicate(true)
	for field: Variant in base:
		if not ours.has(field):
			merged.erase(field)
	for field: Variant in ours:
		var is_changed: bool = not base.has(field) \
				or OverworldJson.write(base[field]) != OverworldJson.write(ours[field])
		if is_changed:
			merged[field] = ours[field]
	return merged


## Without a base the changes are unknown: then it is theirs, with the fields of ours that theirs lacks.
static func add_fields(ours: Dictionary, theirs: Dictionary) -> Dictionary:
	var merged: Dictionary = theirs.duplicate(true)
	for field: Variant in ours:
		if not merged.has(field):
			merged[field] = ours[field]
	return merged
