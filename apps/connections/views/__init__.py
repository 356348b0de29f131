"""The calls of connections and of their templates: parse, ask one service, respond."""
