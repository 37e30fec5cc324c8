"""What is wrong with a folder that should hold a model, said before transformers opens it; nothing here opens one."""
