//! An index that is looked at, while another process may write to it.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::Error;
use crate::chunks::Room;
use crate::frozen::Frozen;
use crate::index::OpenOptions;
use crate::store::Store;
use crate::view::View;

/// An index that is looked at. Any number of processes can at once.
pub struct Reader {
    store: Store,
    frozen: Arc<Frozen>,
    room: Arc<Room>,
    view: Mutex<Arc<View>>,
}

impl Reader {
    /// Opens an index to read it.
    ///
    /// # Errors
    /// If there is none, or it is damaged.
    pub fn open(folder: &Path, options: &OpenOptions) -> Result<Self, Error> {
        let store = Store::open_to_read(folder)?;
        let frozen = Arc::new(Frozen::read(&store.snapshot()?, options.seed)?);
        let room = Arc::new(Room::new(options.memory));
        let view = Arc::new(View::open(&store, &frozen, &room, None)?);
        Ok(Reader {
            store,
            frozen,
            room,
            view: Mutex::new(view),
        })
    }

    /// What is committed now, by whomever.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn view(&self) -> Result<Arc<View>, Error> {
        let mut view = self.view.lock().unwrap_or_else(PoisonError::into_inner);
        let now = View::open(&self.store, &self.frozen, &self.room, Some(&view))?;
        *view = Arc::new(now);
        Ok(Arc::clone(&view))
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        self.store.folder()
    }
}
