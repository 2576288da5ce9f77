"""An MCP server over `Memory`: the same tools, resources and prompt on stdio and over HTTP.

`tools` says what each tool takes, gives and does; `server` registers them once with the SDK; `stdio` and `http` carry
them. `session` holds the one `Memory` and the one thread that works on it. What was stored by anybody is handed out
through `fence`. Nothing here loads SQLite or a model before a call needs it.
"""
