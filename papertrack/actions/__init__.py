"""Actions: functions that take a store, change it and return data; they print nothing."""
