extends RefCounted


## Half a second, doubled with each failure, of which a random half is left out: not all players come
## back at once. [param retry_after] is waited at least.
static func seconds_after(failures: int, retry_after: float, longest: float) -> float:
	var most := minf(longest, 0.5 * pow(2.0, mini(failures, 20) - 1))
	return maxf(retry_after, most * randf_range(0.5, 1.0))
