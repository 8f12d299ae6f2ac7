"""The server by HTTP: doors, staffing, pages and the API, with one shape of errors."""
