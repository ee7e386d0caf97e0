//! Binding of buffers, launches and reading back, for all kernels.

use futures_channel::oneshot;
use wgpu::{
    BindGroupDescriptor, BindGroupEntry, CommandEncoder, CommandEncoderDescriptor,
    ComputePassDescriptor, MapMode,
};

use super::connection::{Connection, Kernel, OwnedBuffer, failed};
use crate::DeviceError;

impl Connection {
    /// Starts a list of commands.
    pub(super) fn commands(&self) -> CommandEncoder {
        self.device.create_command_encoder(&CommandEncoderDescriptor::default())
    }

    /// Adds a launch of this many workgroups to `commands`. The index of a buffer is its binding number.
    pub(super) fn launch<'a>(
        &self,
        commands: &mut CommandEncoder,
        kernel: &Kernel,
        buffers: &[Option<&'a OwnedBuffer>],
        workgroups: u32,
    ) {
        let entry = |(binding, buffer): (u32, &Option<&'a OwnedBuffer>)| {
            let resource = (*buffer)?.as_entire_binding();
            Some(BindGroupEntry { binding, resource })
        };
        let entries: Vec<_> = (0..).zip(buffers).filter_map(entry).collect();
        let group = self.device.create_bind_group(&BindGroupDescriptor {
            label: None,
            layout: &kernel.pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        let mut pass = commands.begin_compute_pass(&ComputePassDescriptor::default());
        pass.set_pipeline(&kernel.pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(workgroups, 1, 1);
    }

    /// Runs `commands`, then reads words of a buffer, starting at byte `from`. They are copied to
    /// `answer`, because only that buffer can be mapped.
    pub(super) async fn read(
        &self,
        mut commands: CommandEncoder,
        (buffer, from): (&OwnedBuffer, u64),
        words: usize,
        answer: &OwnedBuffer,
    ) -> Result<Vec<u32>, DeviceError> {
        let unread = |error: &dyn std::fmt::Display| failed("reading the results", error);
        commands.copy_buffer_to_buffer(buffer, from, answer, 0, bytes(words));
        let submission = self.submit(commands)?;
        let slice = answer.slice(..bytes(words));
        let (ready, mapped) = oneshot::channel();
        // Sending fails if this function has returned an error and dropped the receiver; the error is
        // reported already.
        slice.map_async(MapMode::Read, move |result| drop(ready.send(result)));
        self.wait(submission)?;
        // Another thread that waits for this device may be the one that sends it.
        let mapped = mapped.await;
        self.check()?;
        mapped.map_err(|error| unread(&error))?.map_err(|error| unread(&error))?;
        let view = slice.get_mapped_range().map_err(|error| unread(&error))?;
        let words = from_bytes(&view);
        drop(view);
        answer.unmap();
        Ok(words)
    }
}

/// Returns the size of words in bytes.
pub(super) fn bytes(words: usize) -> u64 {
    4 * words as u64
}

pub(super) fn to_bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn from_bytes(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().copied().map(u32::from_le_bytes).collect()
}
