-- Notes what is to be judged once for each statement instead of once for each row, and without a lookup: captions, tags and
-- radio calls have the device and the start of their clip.

drop trigger caption_search_judge on caption_search;
drop trigger radio_calls_judge on radio_calls;
drop trigger audio_clip_tags_judge_new on audio_clip_tags;
drop trigger audio_clip_tags_judge_removed on audio_clip_tags;

create function judge_clips_of_captions() returns trigger language plpgsql as $$
begin
  insert into clips_to_judge (audio_clip_id, device_id, start_ms) select audio_clip_id, device_id, start_ms from touched;
  return null;
end $$;
create trigger caption_search_judge_new after insert on caption_search
  referencing new table as touched for each statement execute function judge_clips_of_captions();
create trigger caption_search_judge_removed after delete on caption_search
  referencing old table as touched for each statement execute function judge_clips_of_captions();

create function judge_clips_of_calls() returns trigger language plpgsql as $$
begin
  insert into clips_to_judge (audio_clip_id, device_id, start_ms)
  select audio_clip_id, device_id, clip_start_ms from touched;
  return null;
end $$;
create trigger radio_calls_judge_new after insert on radio_calls
  referencing new table as touched for each statement execute function judge_clips_of_calls();
create trigger radio_calls_judge_removed after delete on radio_calls
  referencing old table as touched for each statement execute function judge_clips_of_calls();

create function judge_clips_of_tags() returns trigger language plpgsql as $$
begin
  insert into clips_to_judge (audio_clip_id, device_id, start_ms)
  select distinct audio_clip_id, device_id, clip_start_ms from touched where rule_id is null;
  return null;
end $$;
create trigger audio_clip_tags_judge_new after insert on audio_clip_tags
  referencing new table as touched for each statement execute function judge_clips_of_tags();
create trigger audio_clip_tags_judge_removed after delete on audio_clip_tags
  referencing old table as touched for each statement execute function judge_clips_of_tags();
