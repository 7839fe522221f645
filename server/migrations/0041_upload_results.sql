-- What an upload did: 'created' a clip, 'completed' one that had no sound, or found an 'existing' one. A client that undoes
-- its uploads removes only clips that they created.
alter table uploads add column clip_result text;
