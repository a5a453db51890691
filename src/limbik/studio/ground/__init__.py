"""The Ground tab: a clip on a terrain, before and after."""
