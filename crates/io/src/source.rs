//! Files as a source of records, and the cleaned corpus.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lookalike_engine::{
    AnswerFields, Block as EngineBlock, BlockContent, BlockPlace, CleanCorpus, Each, Failure,
    ReadBlocks, Source, Want, WriteClean,
};
use lookalike_kernel::record::{Record, Wanted};

use crate::block::Block;
use crate::error::Error;
use crate::format::Files;
use crate::input::Input;
use crate::read::{Opening, mediawiki};
use crate::reader::Reader;
use crate::write::CleanWriter;
use crate::write::output_file::check_output;
use crate::write::replaceable::Replaceable;

impl Source for Input {
    fn pass<'s>(&'s self, wanted: &Wanted) -> Box<dyn ReadBlocks + 's> {
        Box::new(Reader::new(self, wanted))
    }

    fn check(&self, wanted: &Wanted) -> Result<(), Failure> {
        Ok(Input::check(self, wanted)?)
    }

    fn fields(&self, records: u32) -> Result<Option<Vec<String>>, Failure> {
        Ok(Input::fields(self, records)?)
    }

    fn bytes(&self) -> u64 {
        Input::bytes(self)
    }

    fn fingerprint(&self) -> u64 {
        Input::fingerprint(self)
    }

    fn changed(&self) -> Option<String> {
        let mut files = self.sources.iter().flat_map(|source| source.files.iter());
        let changed = files.find(|file| file.is_changed());
        changed.map(|file| file.path.display().to_string())
    }

    fn touched(&self) -> Option<u64> {
        Input::touched(self)
    }

    fn names(&self) -> Vec<String> {
        self.arguments.clone()
    }

    fn part_name(&self, part: u32) -> &str {
        let source = self.sources.get(part as usize);
        source.map_or("", |source| source.name.as_str())
    }

    fn place(&self, part: u32, line: u64) -> (String, Option<u64>) {
        let source = self.sources.get(part as usize);
        let is_run =
            |source: &&crate::input::Source| source.format.entry().files == Files::AreRecords;
        let file = source.filter(is_run).and_then(|source| {
            let number = usize::try_from(line).ok()?.checked_sub(1)?;
            source.files.get(number)
        });
        match file.filter(|file| !file.is_copy()) {
            Some(file) => (file.path.display().to_string(), None),
            None => (self.part_name(part).to_string(), Some(line)),
        }
    }

    fn has_revisions(&self) -> bool {
        self.sources.iter().any(mediawiki::is_dump)
    }

    fn revisions(
        &self,
        wanted: &Wanted,
        is_wanted: &dyn Fn(u32, u64) -> bool,
        each: &mut dyn FnMut(u32, Record<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let wanted = &Arc::new(wanted.clone());
        for (number, source) in (0..).zip(&self.sources) {
            if !mediawiki::is_dump(source) {
                continue;
            }
            let opening = Opening {
                source,
                number,
                options: &self.options,
                wanted,
            };
            // What ends it is handed on as it is.
            let mut failed = None;
            let read =
                mediawiki::revisions(&opening, &|line| is_wanted(number, line), &mut |record| {
                    each(number, record).map_err(|failure| {
                        failed = Some(failure);
                        Error::Internal("reading revisions was ended".to_string())
                    })
                });
            if let Some(failure) = failed {
                return Err(failure);
            }
            read?;
        }
        Ok(())
    }

    fn answers(&self) -> Option<AnswerFields> {
        let of_each = self
            .sources
            .iter()
            .map(|source| source.format.entry().answers);
        of_each.reduce(|one, other| one.filter(|_| one == other))?
    }

    fn apart_by(&self) -> Option<&str> {
        let mut of_each = self.sources.iter();
        of_each.find_map(|source| source.format.entry().apart_by)
    }

    fn has_block_lines(&self) -> bool {
        let mut sources = self.sources.iter();
        sources.all(|source| source.format.entry().has_block_lines)
    }
}

impl ReadBlocks for Reader<'_> {
    fn next_block(&mut self, block: &mut EngineBlock) -> Result<bool, Failure> {
        let own: &mut Block = block.content_mut();
        let is_there = Reader::next_block(self, own)?;
        let (place, rejections) = (own.place, std::mem::take(&mut own.rejections));
        block.place = place;
        block.rejections = rejections;
        Ok(is_there)
    }

    fn seek(&mut self, place: BlockPlace) -> Result<(), Failure> {
        Ok(Reader::seek(self, place)?)
    }

    fn bytes_read(&self) -> u64 {
        Reader::bytes_read(self)
    }
}

impl BlockContent for Block {
    fn decode(&self, want: Want<'_>, each: Each<'_>) -> Result<u32, Failure> {
        Ok(Block::decode(self, want, each)?)
    }

    fn bytes_held(&self) -> usize {
        Block::bytes_held(self)
    }

    fn fingerprint(&self) -> Option<u64> {
        Block::fingerprint(self)
    }
}

/// Where the cleaned corpus of an input goes.
#[derive(Debug)]
pub struct CleanFile<'i> {
    input: &'i Input,
    destination: PathBuf,
    replaceable: &'i Replaceable,
    also_read: Vec<PathBuf>,
}

impl<'i> CleanFile<'i> {
    /// A file if the input is one file, else a folder.
    pub fn new(input: &'i Input, destination: &Path, replaceable: &'i Replaceable) -> Self {
        CleanFile {
            input,
            destination: destination.to_path_buf(),
            replaceable,
            also_read: Vec::new(),
        }
    }

    /// It is none of these files either, which the run reads beside its input.
    #[must_use]
    pub fn apart_from(mut self, files: impl IntoIterator<Item = PathBuf>) -> Self {
        self.also_read.extend(files);
        self
    }
}

impl CleanCorpus for CleanFile<'_> {
    fn check(&self) -> Result<(), Failure> {
        check_output(
            &self.destination,
            self.also_read.iter().map(PathBuf::as_path),
        )?;
        // Made and dropped.
        self.begin().map(|_| ())
    }

    fn begin(&self) -> Result<Box<dyn WriteClean + '_>, Failure> {
        Ok(Box::new(CleanWriter::new(
            self.input,
            &self.destination,
            self.replaceable,
        )?))
    }
}

impl WriteClean for CleanWriter<'_> {
    fn write(
        &mut self,
        block: &EngineBlock,
        keep: &mut dyn FnMut(u32) -> bool,
    ) -> Result<(), Failure> {
        let Some(block) = block.content() else {
            let problem = "a block of a cleaned corpus is not of files".to_string();
            return Err(Error::Internal(problem).into());
        };
        Ok(CleanWriter::write(self, block, keep)?)
    }

    fn finish(self: Box<Self>) -> Result<(), Failure> {
        Ok(CleanWriter::finish(*self)?)
    }
}
