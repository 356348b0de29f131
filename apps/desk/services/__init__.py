"""Services of the desk: the distribution, presence and the supervisors' page."""
